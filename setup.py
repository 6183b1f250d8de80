"""The compiled kernel, which is optional: without a compiler the same counts come from NumPy."""

import os

from setuptools import Extension, setup

kernel = Extension(
    "goodmeasure.counts._kernel",
    sources=["src/goodmeasure/counts/_kernel.c"],
    py_limited_api=True,
    extra_compile_args=["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11"],
    optional=True,
)

setup(ext_modules=[kernel], options={"bdist_wheel": {"py_limited_api": "cp311"}})
