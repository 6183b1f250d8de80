"""The site: `make site` writes it to site/, with search, and with links that are checked."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import site_pages  # noqa: E402
from docutils.nodes import SkipNode  # noqa: E402
from latex2mathml.converter import convert  # noqa: E402

import goodmeasure  # noqa: E402

project = "goodmeasure"
copyright = "The goodmeasure maintainers"
version = release = goodmeasure.__version__
extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nb_execution_mode = "off"  # tutorials are shown with their stored outputs
root_doc = "index"
exclude_patterns = ["_build", "tutorials/*.md"]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
suppress_warnings = ["myst.header"]
html_theme = "pydata_sphinx_theme"
html_title = "goodmeasure"
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-light",
    "pygments_dark_style": "a11y-dark",
}
html_math_renderer = "mathml"  # so that nothing is loaded to show formulas
html_static_path = ["_static"]
html_css_files = ["site.css"]


def formula(display: str) -> tuple[object, None]:
    """Return the functions that write a formula as MathML."""

    def visit(self: object, node: object) -> None:
        shown = convert(node.astext(), display=display)  # type: ignore[attr-defined]
        block = f'<div class="formula" tabindex="0">{shown}</div>' if display == "block" else shown
        self.body.append(block)  # type: ignore[attr-defined]
        raise SkipNode

    return visit, None


def named_toggles(app: object, error: object) -> None:
    """Give the toggles of the navigation, which are arrows without words, a name for those who cannot see them."""
    bare = '<summary><span class="toctree-toggle"'
    for path in Path(app.outdir).rglob("*.html"):  # type: ignore[attr-defined]
        text = path.read_text(encoding="utf-8")
        if bare in text:
            path.write_text(text.replace(bare, bare.replace("<summary>", '<summary aria-label="Pages">')), "utf-8")


def setup(app: object) -> None:
    """Write the pages that follow from the code before the others are read."""
    site_pages.write(HERE / "_generated")
    app.add_html_math_renderer("mathml", formula("inline"), formula("block"))  # type: ignore[attr-defined]
    app.connect("build-finished", named_toggles)  # type: ignore[attr-defined]
