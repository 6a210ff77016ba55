//! The scalar types of operands.

/// Runs `$body` with `$T` standing for the integer type that `$scalar` names.
macro_rules! with_integer {
    ($scalar:expr, $T:ident => $body:expr) => {
        match $scalar {
            Scalar::U16 => {
                type $T = u16;
                $body
            }
            Scalar::I16 => {
                type $T = i16;
                $body
            }
            Scalar::U32 => {
                type $T = u32;
                $body
            }
            Scalar::I32 => {
                type $T = i32;
                $body
            }
            Scalar::U64 => {
                type $T = u64;
                $body
            }
            Scalar::I64 => {
                type $T = i64;
                $body
            }
            Scalar::U8 => {
                type $T = u8;
                $body
            }
            Scalar::I8 => {
                type $T = i8;
                $body
            }
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
