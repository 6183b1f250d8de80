"""What is made when the package is built: the compiled parts, and the script that draws the charts of a report.

The compiled parts are optional: without a compiler the same counts come from NumPy and DuckDB. The script bundles Vega
by vl-convert, which is needed to build the package and not to use it.
"""

import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

TEMPLATES = Path("src/goodmeasure/report/formats/templates")
VEGA = TEMPLATES / "vega.js"  # package data that is made here, and not part of the repository


def bundle_vega() -> None:
    """Write the script bundle with its licence texts, unless it is there and newer than what it is made from."""
    made_from = [Path(__file__), TEMPLATES / "third_party_licenses.txt"]
    if VEGA.exists() and all(VEGA.stat().st_mtime >= path.stat().st_mtime for path in made_from):
        return
    import vl_convert

    licenses = (TEMPLATES / "third_party_licenses.txt").read_text(encoding="utf-8")
    script = vl_convert.javascript_bundle()
    VEGA.write_text(f"/*!\n{licenses}*/\n{script}\n", encoding="utf-8")


class BuildWithVega(build_py):
    """Make the script before the package data are collected."""

    def run(self) -> None:
        bundle_vega()
        super().run()


class SourceWithoutVega(sdist):
    """Leave the script out of source distributions, which hold what it is made from."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, [name for name in files if Path(name) != VEGA])


FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))  # such a build has no stable ABI to be built for

compiled = [
    Extension(
        f"goodmeasure.counts.kernel.{name}",
        sources=[f"src/goodmeasure/counts/kernel/{name}.c"],
        py_limited_api=not FREE_THREADED,
        define_macros=[("NOT_STABLE", "1")] if FREE_THREADED else [],
        extra_compile_args=["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11"],
        optional=True,
    )
    for name in ("_kernel", "_scanner")
]

setup(
    ext_modules=compiled,
    cmdclass={"build_py": BuildWithVega, "sdist": SourceWithoutVega},
    options={} if FREE_THREADED else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
