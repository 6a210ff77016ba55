//! Comparisons of `setp` and `set`, `slct`, `testp` ("Comparison and Selection Instructions").

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

/// Whether the comparison holds; for integers and floats. `comparison` should be constant in loops.
#[inline(always)]
pub fn compare<T: PartialOrd + Copy>(a: T, b: T, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => (a < b) | (a > b),
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        Comparison::EqualUnordered => !compare(a, b, Comparison::NotEqual),
        Comparison::NotEqualUnordered => a != b,
        Comparison::LessUnordered => !compare(a, b, Comparison::GreaterEqual),
        Comparison::LessEqualUnordered => !compare(a, b, Comparison::Greater),
        Comparison::GreaterUnordered => !compare(a, b, Comparison::LessEqual),
        Comparison::GreaterEqualUnordered => !compare(a, b, Comparison::Less),
        Comparison::Number => compare(a, a, Comparison::Equal) & compare(b, b, Comparison::Equal),
        Comparison::NotNumber => !compare(a, b, Comparison::Number),
    }
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
