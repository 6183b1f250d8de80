"""What is made when the package is built: the compiled parts, and the script that draws the charts of a report.

The compiled parts are optional: without a compiler the same counts come from NumPy and DuckDB. With GOODMEASURE_PURE=1
they are left out, and the wheel fits every platform. The script bundles Vega by vl-convert, which is needed to build
the package and not to use it.
"""

import gzip
import io
import os
import sysconfig
import tarfile
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


class Source(sdist):
    """Leave the script out of source distributions, which hold what it is made from, and make them reproducible."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, [name for name in files if Path(name) != VEGA])

    def make_distribution(self) -> None:
        super().make_distribution()
        for name in self.get_archive_files():
            without_times(Path(name))


def without_times(archive: Path) -> None:
    """Write an archive anew in which nothing says when, where or by whom it was made."""
    when = int(os.environ["SOURCE_DATE_EPOCH"])
    with tarfile.open(archive) as old:
        files = [(x, old.extractfile(x).read() if x.isfile() else b"") for x in old.getmembers()]
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as new:
        for about, content in sorted(files, key=lambda file: file[0].name):
            about.mtime, about.uid, about.gid, about.uname, about.gname, about.pax_headers = when, 0, 0, "", "", {}
            about.mode = 0o755 if about.isdir() else 0o644
            new.addfile(about, io.BytesIO(content))
    archive.write_bytes(gzip.compress(tar.getvalue(), mtime=when))


os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # the first moment that a zip file, so a wheel, can name
PURE = os.environ.get("GOODMEASURE_PURE") == "1"
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))  # such a build has no stable ABI to be built for


compiled = [  # without -g, which would write the paths of the build into them
    Extension(
        f"goodmeasure.counts.kernel.{name}",
        sources=[f"src/goodmeasure/counts/kernel/{name}.c"],
        py_limited_api=not FREE_THREADED,
        define_macros=[("NOT_STABLE", "1")] if FREE_THREADED else [],
        extra_compile_args=["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11", "-g0"],
        optional=True,
    )
    for name in ("_kernel", "_scanner")
]

setup(
    ext_modules=[] if PURE else compiled,
    cmdclass={"build_py": BuildWithVega, "sdist": Source},
    options={} if FREE_THREADED or PURE else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
