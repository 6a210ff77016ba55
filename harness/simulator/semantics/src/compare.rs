//! Comparisons of `setp` and `set`, `slct`, `testp` ("Comparison and Selection Instructions").

use std::cmp::Ordering;

/// The comparison of `setp` and `set`. `.lo`, `.ls`, `.hi`, `.hs` are `Less` … on unsigned types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `.eq`
    Equal,
    /// `.ne`: false when an operand is NaN, unlike `!=`.
    NotEqual,
    /// `.lt`, `.lo`
    Less,
    /// `.le`, `.ls`
    LessEqual,
    /// `.gt`, `.hi`
    Greater,
    /// `.ge`, `.hs`
    GreaterEqual,
    /// `.equ`: as `Equal`, or an operand is NaN.
    EqualUnordered,
    /// `.neu`: as `NotEqual`, or an operand is NaN.
    NotEqualUnordered,
    /// `.ltu`
    LessUnordered,
    /// `.leu`
    LessEqualUnordered,
    /// `.gtu`
    GreaterUnordered,
    /// `.geu`
    GreaterEqualUnordered,
    /// `.num`: both operands are numbers.
    Number,
    /// `.nan`: an operand is NaN.
    NotNumber,
}

impl Comparison {
    /// Whether it holds for operands in this relation; without one, at least one of them is NaN.
    #[inline(always)]
    pub fn holds_for(self, relation: Option<Ordering>) -> bool {
        use Comparison::*;
        match relation {
            Some(Ordering::Less) => matches!(
                self,
                NotEqual
                    | Less
                    | LessEqual
                    | Number
                    | NotEqualUnordered
                    | LessUnordered
                    | LessEqualUnordered
            ),
            Some(Ordering::Equal) => matches!(
                self,
                Equal
                    | LessEqual
                    | GreaterEqual
                    | Number
                    | EqualUnordered
                    | LessEqualUnordered
                    | GreaterEqualUnordered
            ),
            Some(Ordering::Greater) => matches!(
                self,
                NotEqual
                    | Greater
                    | GreaterEqual
                    | Number
                    | NotEqualUnordered
                    | GreaterUnordered
                    | GreaterEqualUnordered
            ),
            None => matches!(
                self,
                NotNumber
                    | EqualUnordered
                    | NotEqualUnordered
                    | LessUnordered
                    | LessEqualUnordered
                    | GreaterUnordered
                    | GreaterEqualUnordered
            ),
        }
    }
}

/// Whether the comparison holds; for integers and floats.
#[inline(always)]
pub fn compare<T: PartialOrd>(a: T, b: T, comparison: Comparison) -> bool {
    comparison.holds_for(a.partial_cmp(&b))
}

/// `slct`: `a` if c ≥ 0, else `b`. For `.f32`, −0 counts as ≥ 0 and NaN selects `b`.
#[inline(always)]
pub fn slct<T, C: PartialOrd + Default>(a: T, b: T, c: C) -> T {
    if c >= C::default() { a } else { b }
}

/// The property of `testp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// `.finite`: neither infinite nor NaN.
    Finite,
    /// `.infinite`
    Infinite,
    /// `.number`: not NaN.
    Number,
    /// `.notanumber`
    NotNumber,
    /// `.normal`: normal or zero ("positive and negative zero are considered normal numbers").
    Normal,
    /// `.subnormal`
    Subnormal,
}

/// `testp.f32`.
#[inline(always)]
pub fn testp_f32(a: f32, property: Property) -> bool {
    let magnitude = a.abs();
    test(
        magnitude == f32::INFINITY,
        a.is_nan(),
        magnitude != 0.0 && magnitude < f32::MIN_POSITIVE,
        property,
    )
}

/// `testp.f64`.
#[inline(always)]
pub fn testp_f64(a: f64, property: Property) -> bool {
    let magnitude = a.abs();
    test(
        magnitude == f64::INFINITY,
        a.is_nan(),
        magnitude != 0.0 && magnitude < f64::MIN_POSITIVE,
        property,
    )
}

#[inline(always)]
fn test(infinite: bool, nan: bool, subnormal: bool, property: Property) -> bool {
    match property {
        Property::Finite => !infinite & !nan,
        Property::Infinite => infinite,
        Property::Number => !nan,
        Property::NotNumber => nan,
        Property::Normal => !infinite & !nan & !subnormal,
        Property::Subnormal => subnormal,
    }
}
