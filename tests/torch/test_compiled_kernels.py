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
    even = [k for k, name in enumerate(kernel.arg_names) if name in tensors or name in ("n", "each")]
    aligned = {(k,): [["tt.divisibility", 16]] for k in even}  # then Triton rearranges items through shared memory
    source = ASTSource(fn=kernel, signature=kinds, constexprs=constants, attrs=aligned)
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps})
    places = constants.get("PLACES", "[0]").partition("[")[2].partition("]")[0]
    assert made.metadata.shared + int(places) <= 48 << 10, "a program has no more shared memory"
    return made.asm["ptx"]

for kind in ("*i64", "*i32", "*u8"):
    LABELS = {"true": kind, "pred": kind, "counts": "*i64", "faults": "*i64"}
    all_cells = ptx(triton_kernels.count_all, 8, LABELS, HAS_IGNORED=True, PLACES=tally._places(10_240), SIZE=10_240,
                    CHUNK=1024, BLOCK=tally._BLOCK)
    common = ptx(triton_kernels.count_common, 8, LABELS, HAS_IGNORED=True, SIZE=tally._COMMON,
                 PLACES=tally._places(2 * tally._COMMON + 1), BLOCK=tally._BLOCK // 2)
print(all_cells, common)
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
