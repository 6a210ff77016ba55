// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies from global to shared memory that run beside the thread; before compute capability 8.0 they are made at once.
#pragma once
#pragma clang system_header

LADDER_FUNCTION void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0)
{
#if __CUDA_ARCH__ >= 800
    const unsigned to = __cvta_generic_to_shared(shared), kept = bytes - zeros;
    const size_t from = __cvta_generic_to_global(global);
    if (bytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(kept) : "memory");
    } else if (bytes == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(to), "l"(from), "r"(kept) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(to), "l"(from), "r"(kept) : "memory");
    }
#else
    for (size_t i = 0; i < bytes; i++) ((char*)shared)[i] = i < bytes - zeros ? ((const char*)global)[i] : 0;
#endif
}
LADDER_FUNCTION void __pipeline_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}
// All but the last `groups` have arrived.
LADDER_FUNCTION void __pipeline_wait_prior(size_t groups)
{
#if __CUDA_ARCH__ >= 800
#define LADDER_WAIT(number)                                                                                      \
    case number: asm volatile("cp.async.wait_group " #number ";" : : : "memory"); break;
    switch (groups) {
        LADDER_WAIT(1)
        LADDER_WAIT(2)
        LADDER_WAIT(3)
        LADDER_WAIT(4)
        LADDER_WAIT(5)
        LADDER_WAIT(6)
        LADDER_WAIT(7)
    default: asm volatile("cp.async.wait_group 0;" : : : "memory");
    }
#undef LADDER_WAIT
#endif
}
