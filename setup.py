"""The compiled parts, which are optional: without a compiler the same counts come from NumPy and DuckDB."""

import os
import sysconfig

from setuptools import Extension, setup

# free-threaded builds of Python have no stable interface, so that a wheel is for one version of them
stable = not sysconfig.get_config_var("Py_GIL_DISABLED")

compiled = [
    Extension(
        f"goodmeasure.counts.{name}",
        sources=[f"src/goodmeasure/counts/{name}.c"],
        py_limited_api=stable,
        define_macros=[] if stable else [("NOT_STABLE", "1")],
        extra_compile_args=["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11"],
        optional=True,
    )
    for name in ("_kernel", "_scanner")
]

setup(ext_modules=compiled, options={"bdist_wheel": {"py_limited_api": "cp311"}} if stable else {})
