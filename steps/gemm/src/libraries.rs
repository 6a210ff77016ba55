//! cuBLAS and cuBLASLt, which the steps are compared with: a product for each type of elements.

use ladder::arrays::{Call, Extent, Product};
use ladder::{Function, Step};

use super::plan::Plan;
use super::precision::{Names, Precision};

/// Floats come first: a step is compared with this unless it names another.
pub const ALL: &[Step<Plan>] = &[
    cublas("cublas", "cuBLAS FP32", "cublasGemmEx, CUBLAS_COMPUTE_32F_PEDANTIC", Precision::Fp32),
    cublas(TF32, "cuBLAS TF32", "cublasGemmEx, CUBLAS_COMPUTE_32F_FAST_TF32", Precision::Tf32),
    cublas(BF16, "cuBLAS BF16", "cublasGemmEx, CUBLAS_COMPUTE_32F of BF16", Precision::Bf16),
    cublas(FP16, "cuBLAS FP16", "cublasGemmEx, CUBLAS_COMPUTE_32F of FP16", Precision::Fp16),
    Step::library(
        FP8,
        "cuBLASLt FP8",
        "cublasLtMatmul of e4m3, the fastest of 8 proposed algorithms with fast accumulation",
        Function::CublasLt,
        Plan::of(Precision::Fp8, [1, 1], [1, 1]),
    ),
];

/// What steps of this type name as their library.
pub const TF32: &str = "cublas-tf32";
/// As above.
pub const BF16: &str = "cublas-bf16";
/// As above.
pub const FP16: &str = "cublas-fp16";
/// As above.
pub const FP8: &str = "cublaslt-fp8";

const fn cublas(
    name: &'static str,
    title: &'static str,
    changes: &'static str,
    precision: Precision,
) -> Step<Plan> {
    Step::library(name, title, changes, Function::Cublas, Plan::of(precision, [1, 1], [1, 1]))
}

/// The call of either.
pub fn call(precision: Precision, sizes: Extent) -> Call {
    let Names { a, b, c } = precision.names();
    let (factors, matrices) = (["alpha", "beta"], [a, b, c]);
    Call::Cublas(Product { sizes, factors, matrices, precision: precision.of_library() })
}
