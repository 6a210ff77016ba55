//! Functions of NVIDIA's libraries: what a ladder's steps are compared with.

/// What a library's function is in. It is loaded where the library is found, and nowhere built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// cuBLAS. Its function is a [`Product`].
    Cublas,
    /// cuBLASLt, for products of bytes. Its function is a [`Product`].
    CublasLt,
    /// cuDNN. Its function is an [`Attention`].
    Cudnn,
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
            Library::CublasLt => "cuBLASLt",
            Library::Cudnn => "cuDNN",
            Library::Cub(_) => "CUB",
        }
    }
}

/// What a library's function is called with, besides arrays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Routine {
    /// C = α A B + β C; the arrays are A, B and C.
    Product(Product),
    /// O = softmax(Q Kᵀ) V; the arrays are Q, K, V and O.
    Attention(Attention),
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

impl Product {
    /// m, n and k of the matrices A and B as they lie in memory.
    pub fn padded(&self) -> [u64; 3] {
        match self.precision {
            Precision::Fp8 => self.sizes.map(|size| size.next_multiple_of(PADDED_TO)),
            _ => self.sizes,
        }
    }
}

/// What the sizes of matrices of bytes are padded to multiples of.
pub const PADDED_TO: u64 = 16;

/// O = softmax(scale · Q Kᵀ) V of BF16. Each matrix has n rows for each head, and those of a head follow those of the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attention {
    /// Queries and keys (n), heads, and elements of a row.
    pub extent: [u64; 3],
    /// Whether a query sees only the keys up to its own place.
    pub causal: bool,
    /// The factor of the scores.
    pub scale: f32,
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
    /// Bytes: a sign, four bits of an exponent and three of a fraction (e4m3). B lies column by column, and zeros pad A and B
    /// so that m, n and k are multiples of [`PADDED_TO`].
    Fp8,
}

impl Precision {
    /// Bytes of a number of A and B.
    pub fn bytes(self) -> u64 {
        match self {
            Precision::Fp32 | Precision::Tf32 => 4,
            Precision::Bf16 | Precision::Fp16 => 2,
            Precision::Fp8 => 1,
        }
    }
}
