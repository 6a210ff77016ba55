//! Functions of NVIDIA's libraries: what a ladder's steps are compared with.

/// What a library's function is in. It is loaded where the library is found, and nowhere built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// cuBLAS. Its function is a [`Product`].
    Cublas,
    /// CUB, which is headers: nvcc compiles host code that calls it, where there is an nvcc.
    ///
    /// The code is CUDA C++ with one function, which calls CUB as CUB wants it: to learn how much memory it needs, where
    /// `memory` is null, and with that memory. `arrays` are the addresses of the arrays of the call, `n` is the size.
    ///
    /// ```c
    /// extern "C" int pass(void *memory, size_t *bytes, void *const *arrays, int n, cudaStream_t stream);
    /// ```
    Cub(&'static str),
}

impl Library {
    /// Its name: "cuBLAS".
    pub fn name(self) -> &'static str {
        match self {
            Library::Cublas => "cuBLAS",
            Library::Cub(_) => "CUB",
        }
    }
}

/// What a library's function is called with, besides arrays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Routine {
    /// C = α A B + β C; the arrays are A, B and C.
    Product(Product),
    /// A pass over so many elements, by a function of [`Library::Cub`]; the arrays are its own.
    Pass(u64),
}

/// C = α A B + β C of row-major matrices, where A has m × k numbers, B has k × n and C has m × n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Product {
    /// m, n and k.
    pub sizes: [u64; 3],
    /// The factor of A B.
    pub alpha: f32,
    /// The factor of C. Where it is 0, C is not read.
    pub beta: f32,
    /// The numbers, and how they are multiplied. C is always of `f32`.
    pub precision: Precision,
}

/// Numbers of A and B, and how a product of matrices multiplies them. Sums are of `f32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// `f32`, multiplied as such.
    Fp32,
    /// `f32`, rounded to TF32 by the tensor cores.
    Tf32,
    /// bfloat16.
    Bf16,
    /// IEEE's half.
    Fp16,
}

impl Precision {
    /// Bytes of a number of A and B.
    pub fn bytes(self) -> u64 {
        match self {
            Precision::Fp32 | Precision::Tf32 => 4,
            Precision::Bf16 | Precision::Fp16 => 2,
        }
    }
}
