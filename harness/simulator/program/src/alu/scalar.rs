//! The scalar types of operands.

/// Runs `$body` with `$T` standing for the integer type that `$scalar` names.
macro_rules! with_integer {
    ($scalar:expr, $T:ident => $body:expr) => {
        with_integer!($scalar, $T => $body; U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, U8 u8, I8 i8)
    };
    ($scalar:expr, $T:ident => $body:expr; $($name:ident $integer:ty),*) => {
        match $scalar {
            $(Scalar::$name => {
                type $T = $integer;
                $body
            })*
            Scalar::F32 | Scalar::F64 => {
                unreachable!("lowering gives integer operations integer types")
            }
        }
    };
}

pub(super) use with_integer;

/// A scalar type of Rust that stands for PTX types.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}
