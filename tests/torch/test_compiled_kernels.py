"""The kernels with instructions of NVIDIA's GPUs compile where there is none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton", minversion="3.9")

PROGRAM = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from goodmeasure.counts.device import soft_kernels, tally, triton_kernels

def ptx(kernel, warps, tensors, **constants):
    kinds = {name: tensors.get(name) or ("constexpr" if name in constants else "i32") for name in kernel.arg_names}
    source = ASTSource(fn=kernel, signature=kinds, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps}).asm["ptx"]

LABELS = dict.fromkeys(("true", "pred", "counts", "faults"), "*i64")
HERE = {"HAS_IGNORED": True, "PLACES": tally._places(1024), "BLOCK": 2048}
print(ptx(triton_kernels.count_all, 8, LABELS, SIZE=1024, CHUNK=1024, **HERE))
print(ptx(triton_kernels.count_common, 8, LABELS, SIZE=4096, **HERE | {"PLACES": tally._places(8193)}))
LOGITS = {"logits": "*fp32", **dict.fromkeys(("true", "weights", "counts", "faults"), "*i64")}
print(ptx(triton_kernels.count_logits, 8, LOGITS, M=21, WEIGHTED=False, TABLES=1, IN_DOUBLE=False, SIZE=1024,
          CHUNK=1024, UNROLLED=True, ROWS=512, COLUMNS=0, HAS_IGNORED=True, PLACES=tally._places(1024)))
SOFT = {"predictions": "*fp32", "target": "*i64", "weights": "*fp32", "counts": "*fp64"}
print(ptx(soft_kernels.soft_counts, 4, SOFT, M=10, LOGITS=True, HAS_IGNORED=True, WEIGHTED=True, BY_CLASS=True,
          TRAPS=True, COLUMNS=16, ROWS=128))
"""


def test_the_kernels_compile_without_a_gpu(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False,
        env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count(".shared .align 16 .b8 goodmeasure_places") == 3
    assert done.stdout.count("red.shared.add.u32") >= 3
    assert "trap" in done.stdout
