//! What a translation may choose.

/// How precise division and square roots are, as options of compilers set it: clang leaves it to what makes PTX.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Divisions in single precision may be wrong in the last bits: `div.full`, as with `-prec-div=false`.
    pub fast_division: bool,
    /// Square roots in single precision may be wrong in the last bits: `sqrt.approx`, as with `-prec-sqrt=false`.
    pub fast_root: bool,
}
