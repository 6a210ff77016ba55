// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of a sparse matrix in CSR and a vector of cuSPARSE, NVIDIA's library: what the ladder's steps are compared with.
// Its functions are found when it runs, so that nothing need be linked.
#include <cub/version.cuh>
#include <cusparse.h>
#include <dlfcn.h>

// Calls a function of cuSPARSE.
template <typename... Of, typename... Given> bool call(const char *name, cusparseStatus_t (*)(Of...), Given... given)
{
    static void *const library = dlopen("libcusparse.so.12", RTLD_NOW);
    const auto function = (cusparseStatus_t (*)(Of...))(library ? dlsym(library, name) : nullptr);
    return function && function(given...) == CUSPARSE_STATUS_SUCCESS;
}

#define CALL(name, ...) call(#name, name, __VA_ARGS__)

extern "C" int pass(void *memory, size_t *bytes, void *const *arrays, int n, cudaStream_t stream)
{
    static cusparseHandle_t handle;
    if (!handle && !CALL(cusparseCreate, &handle)) {
        return cudaErrorSharedObjectInitFailed;
    }
    const long long elements = n * (n < 16 ? (long long)n : 16); // as the ladder makes them
    const auto whole = CUSPARSE_INDEX_32I;
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto way = CUSPARSE_SPMV_CSR_ALG1;
    const float one = 1.0f, zero = 0.0f;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    const bool is_done = CALL(cusparseSetStream, handle, stream)
        && CALL(cusparseCreateCsr, &matrix, n, n, elements, arrays[0], arrays[1], arrays[2], whole, whole,
            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F)
        && CALL(cusparseCreateDnVec, &x, n, arrays[3], CUDA_R_32F) && CALL(cusparseCreateDnVec, &y, n, arrays[4], CUDA_R_32F)
        && (memory ? CALL(cusparseSpMV, handle, plain, &one, matrix, x, &zero, y, CUDA_R_32F, way, memory)
                   : CALL(cusparseSpMV_bufferSize, handle, plain, &one, matrix, x, &zero, y, CUDA_R_32F, way, bytes))
        && CALL(cusparseDestroySpMat, matrix) && CALL(cusparseDestroyDnVec, x) && CALL(cusparseDestroyDnVec, y);
    return is_done ? cudaSuccess : cudaErrorUnknown;
}
