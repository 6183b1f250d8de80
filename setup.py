"""The compiled parts, which are optional: without a compiler the same counts come from NumPy and DuckDB."""

import os

from setuptools import Extension, setup

compiled = [
    Extension(
        f"goodmeasure.counts.{name}",
        sources=[f"src/goodmeasure/counts/{name}.c"],
        py_limited_api=True,
        extra_compile_args=["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11"],
        optional=True,
    )
    for name in ("_kernel", "_scanner")
]

setup(ext_modules=compiled, options={"bdist_wheel": {"py_limited_api": "cp311"}})
