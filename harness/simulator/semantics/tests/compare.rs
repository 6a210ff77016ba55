use semantics::compare::{Comparison, Property, compare, slct, testp_f32, testp_f64};

/// The outcome for less, equal, greater and unordered operands, from the ISA's tables "Operators
/// for Signed Integer, Unsigned Integer, and Bit-Size Types" and "Floating-Point Comparison
/// Operators".
const TABLE: [(Comparison, [bool; 4]); 14] = {
    use Comparison::*;
    const T: bool = true;
    const F: bool = false;
    [
        (Equal, [F, T, F, F]),
        (NotEqual, [T, F, T, F]),
        (Less, [T, F, F, F]),
        (LessEqual, [T, T, F, F]),
        (Greater, [F, F, T, F]),
        (GreaterEqual, [F, T, T, F]),
        (EqualUnordered, [F, T, F, T]),
        (NotEqualUnordered, [T, F, T, T]),
        (LessUnordered, [T, F, F, T]),
        (LessEqualUnordered, [T, T, F, T]),
        (GreaterUnordered, [F, F, T, T]),
        (GreaterEqualUnordered, [F, T, T, T]),
        (Number, [T, T, T, F]),
        (NotNumber, [F, F, F, T]),
    ]
};

#[test]
fn comparisons() {
    for (comparison, [less, equal, greater, unordered]) in TABLE {
        assert_eq!(compare(-1.0f32, 2.0, comparison), less, "{comparison:?}");
        assert_eq!(compare(-0.0f32, 0.0, comparison), equal, "{comparison:?}");
        assert_eq!(compare(f64::INFINITY, f64::MAX, comparison), greater, "{comparison:?}");
        for (a, b) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, f32::NAN)] {
            assert_eq!(compare(a, b, comparison), unordered, "{comparison:?}");
        }
        assert_eq!(compare(-1i32, 1, comparison), less, "{comparison:?}");
        assert_eq!(compare(-1i32 as u32, 1, comparison), greater, "{comparison:?}");
        assert_eq!(compare(7u64, 7, comparison), equal, "{comparison:?}");
    }
}

#[test]
fn select() {
    assert_eq!([slct(1, 2, 0), slct(1, 2, -1), slct(1, 2, i32::MIN)], [1, 2, 2]);
    assert_eq!([slct(1, 2, -0.0f32), slct(1, 2, f32::NAN), slct(1, 2, -1e-45f32)], [1, 2, 2]);
}

#[test]
fn properties() {
    use Property::*;
    let all = [Finite, Infinite, Number, NotNumber, Normal, Subnormal];
    for (a, expected) in [
        (0.0, [true, false, true, false, true, false]),
        (-1.5, [true, false, true, false, true, false]),
        (f32::MIN_POSITIVE, [true, false, true, false, true, false]),
        (-1e-45, [true, false, true, false, false, true]),
        (f32::NEG_INFINITY, [false, true, true, false, false, false]),
        (f32::NAN, [false, false, false, true, false, false]),
    ] {
        assert_eq!(all.map(|p| testp_f32(a, p)), expected, "{a:e}");
        let wide = if a == -1e-45 { -5e-324 } else { f64::from(a) };
        assert_eq!(all.map(|p| testp_f64(wide, p)), expected, "{wide:e}");
    }
}
