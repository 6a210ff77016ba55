#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times steps 04 to 06 of the reduction as they are, and with their sums stored or added elsewhere. Run it in the root
of the workspace, where there are a GPU and nvcc."""
import re
import subprocess
import tempfile
from pathlib import Path

STEPS = ["04-two-loads", "05-last-warp", "06-shuffles"]
ATOMIC = r"atomicAdd\(sum, ([^;]*)\);"
VARIANTS = {
    "as it is": None,
    "sums stored in words of their own": r"sum[blockIdx.x] = \1;",
    "atomics on 1024 words, 4 KB apart": r"atomicAdd(sum + (blockIdx.x % 1024) * 1024, \1);",
}
PROGRAM = """
#include <cstdio>
#include <cuda_runtime.h>
%s
int main() {
  const unsigned n = 1u << 27;
  unsigned *in, *sum;
  cudaMalloc(&in, 4ull * n), cudaMalloc(&sum, 1 << 24), cudaMemset(in, 1, 4ull * n);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
%s  printf("%%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
TIME = """  {{ float least = 1e9, all = 0;
    for (int k = 0; k < 12; k++) {{
      cudaEventRecord(begin); {name}::reduce<<<n / 512, 256>>>(n, in, sum); cudaEventRecord(end);
      cudaEventSynchronize(end); float ms; cudaEventElapsedTime(&ms, begin, end); all += ms; if (ms < least) least = ms; }}
    printf("{step}, {what}: least %.1f us, mean %.1f us\\n", 1e3 * least, 1e3 * all / 12); }}
"""

kernels, times = "", ""
for step in STEPS:
    source = Path(f"kernels/reduction/{step}.cu").read_text().replace('extern "C" ', "")
    for number, (what, instead) in enumerate(VARIANTS.items()):
        name = f"k{step[:2]}_{number}"
        text = re.sub(ATOMIC, instead, source) if instead else source
        kernels += f"namespace {name} {{\n{text}\n#undef THREADS\n}}\n"
        times += TIME.format(name=name, step=step, what=what)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "reduction.cu")
    file.write_text(PROGRAM % (kernels, times))
    program = Path(folder, "reduction")
    subprocess.run(["nvcc", "-O3", "-arch=sm_90", "-o", program, file], check=True)
    subprocess.run([program], check=True)
