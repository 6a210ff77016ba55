use proptest::prelude::*;
use semantics::bits::*;
use semantics::integer::*;

/// Integers with the ends of the range, zero and single bits frequent.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (0u32..64).prop_map(|shift| 1 << shift),
        (0u32..64).prop_map(|shift| u64::MAX >> shift),
        Just(0),
        Just(u64::MAX),
        Just(0x8000_0000),
        Just(1 << 63),
        0u64..4,
    ]
}

/// The arithmetic of one type, against 128-bit integers.
fn check_arithmetic<T: Integer + std::fmt::Debug>(a: u64, b: u64, c: u64) {
    let (a, b, c) = (T::from_bits(a), T::from_bits(b), T::from_bits(c));
    let (x, y, z) = (a.to_i128(), b.to_i128(), c.to_i128());
    let product = x * y;
    assert_eq!(add(a, b), T::truncate(x + y));
    assert_eq!(sub(a, b), T::truncate(x - y));
    assert_eq!(mul_lo(a, b), T::truncate(product));
    assert_eq!(mul_hi(a, b), T::truncate(product >> T::BITS));
    assert_eq!(mad_lo(a, b, c), T::truncate(product + z));
    assert_eq!(mad_hi(a, b, c), T::truncate((product >> T::BITS) + z));
    assert_eq!(mul_wide(a, b).to_i128(), product);
    assert_eq!(min(a, b).to_i128(), x.min(y));
    assert_eq!(max(a, b).to_i128(), x.max(y));
    assert_eq!(abs(a), T::truncate(x.abs()));
    assert_eq!(neg(a), T::truncate(-x));
    assert_eq!(sad(a, b, c), T::truncate(z + (x - y).abs()));
    let (quotient, remainder) = if y == 0 { (-1, -1) } else { (x / y, x % y) };
    assert_eq!(div(a, b), T::truncate(quotient));
    assert_eq!(rem(a, b), T::truncate(remainder));
    assert_eq!(not(a), T::truncate(-x - 1));
    assert_eq!(cnot(a), T::truncate(i128::from(x == 0)));
}

/// The bit operations of one type, against the loops in the ISA.
fn check_bits<T: Integer + std::fmt::Debug>(a: u64, b: u64, position: u32, length: u32) {
    let (a, b) = (T::from_bits(a), T::from_bits(b));
    let bit = |word: T, i: u32| word.to_bits() >> i & 1;
    let from = |bit_at: &dyn Fn(u32) -> u64| {
        T::from_bits((0..T::BITS).fold(0, |word, i| word | bit_at(i) << i))
    };
    assert_eq!(u64::from(popc(a)), (0..T::BITS).map(|i| bit(a, i)).sum());
    let leading = (0..T::BITS).rev().take_while(|&i| bit(a, i) == 0).count();
    assert_eq!(clz(a) as usize, leading);
    assert_eq!(brev(a), from(&|i| bit(a, T::BITS - 1 - i)));

    let sign = if T::SIGNED { bit(a, T::BITS - 1) } else { 0 };
    let found = (0..T::BITS).rev().find(|&i| bit(a, i) != sign);
    assert_eq!(bfind(a, false), found.unwrap_or(u32::MAX));
    assert_eq!(bfind(a, true), found.map_or(u32::MAX, |i| T::BITS - 1 - i));

    // Beyond the ISA's 0 … 255, as an H200 takes them.
    let amount = |x: u32| if T::BITS == 64 { x.min(255) } else { x % 256 };
    let (pos, len) = (amount(position), amount(length));
    let fill = match T::SIGNED && len != 0 {
        true => bit(a, (pos + len - 1).min(T::BITS - 1)),
        false => 0,
    };
    let extracted = from(&|i| if i < len && pos + i < T::BITS { bit(a, pos + i) } else { fill });
    assert_eq!(bfe(a, position, length), extracted, "bfe {a:?} {pos} {len}");
    let inserted = from(&|i| if i >= pos && i < pos + len { bit(a, i - pos) } else { bit(b, i) });
    assert_eq!(bfi(a, b, position, length), inserted, "bfi {a:?} {b:?} {pos} {len}");

    let left = from(&|i| if position <= i { bit(a, i - position) } else { 0 });
    assert_eq!(shl(a, position), left);
    let right = from(&|i| match i.checked_add(position) {
        Some(j) if j < T::BITS => bit(a, j),
        _ => sign,
    });
    assert_eq!(shr(a, position), right);
}

/// Positions, lengths and shift amounts, with those around the widths frequent.
fn amount() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..70, 250u32..262, any::<u32>()]
}

proptest! {
    #[test]
    fn arithmetic(a in word(), b in word(), c in word()) {
        check_arithmetic::<u16>(a, b, c);
        check_arithmetic::<i16>(a, b, c);
        check_arithmetic::<u32>(a, b, c);
        check_arithmetic::<i32>(a, b, c);
        check_arithmetic::<i64>(a, b, c);
        // The products of u64 do not fit i128: their halves are checked as u128.
        let product = u128::from(a) * u128::from(b);
        prop_assert_eq!(mul_hi(a, b), (product >> 64) as u64);
        prop_assert_eq!(mul_lo(a, b), product as u64);
        prop_assert_eq!(mad_hi(a, b, c), ((product >> 64) as u64).wrapping_add(c));
        prop_assert_eq!(div(a, b), a.checked_div(b).unwrap_or(u64::MAX));
        prop_assert_eq!(rem(a, b), a.checked_rem(b).unwrap_or(u64::MAX));
        prop_assert_eq!(sad(a, b, c), c.wrapping_add(a.abs_diff(b)));
    }

    #[test]
    fn saturating(a in word(), b in word(), c in word()) {
        let (a, b, c) = (a as i32, b as i32, c as i32);
        let clamp = |x: i64| x.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let (x, y, z) = (i64::from(a), i64::from(b), i64::from(c));
        prop_assert_eq!(add_sat(a, b), clamp(x + y));
        prop_assert_eq!(sub_sat(a, b), clamp(x - y));
        prop_assert_eq!(mad_hi_sat(a, b, c), clamp(((x * y) >> 32) + z));
        let low24 = |x: i32| i64::from(x & 0xff_ffff) - (i64::from(x & 0x80_0000) << 1);
        let product = low24(a) * low24(b);
        prop_assert_eq!(mul24_lo(a, b), product as i32);
        prop_assert_eq!(mul24_hi(a, b), (product >> 16) as i32);
        prop_assert_eq!(mad24_lo(a, b, c), (product + z) as i32);
        prop_assert_eq!(mad24_hi(a, b, c), (((product >> 16) as i32 as i64) + z) as i32);
        prop_assert_eq!(mad24_hi_sat(a, b, c), clamp((product >> 16) as i32 as i64 + z));
        let product = u64::from(a as u32 & 0xff_ffff) * u64::from(b as u32 & 0xff_ffff);
        prop_assert_eq!(mul24_lo(a as u32, b as u32), product as u32);
        prop_assert_eq!(mul24_hi(a as u32, b as u32), (product >> 16) as u32);
    }

    #[test]
    fn carries(a in word(), b in word(), carry in 0u64..2) {
        let sum = u128::from(a) + u128::from(b) + u128::from(carry);
        prop_assert_eq!(add_carry(a, b, carry), (sum as u64, (sum >> 64) as u64));
        let difference = i128::from(a) - i128::from(b) - i128::from(carry);
        prop_assert_eq!(sub_borrow(a, b, carry), (difference as u64, u64::from(difference < 0)));
        let (a, b, carry) = (a as u32, b as u32, carry as u32);
        let sum = u64::from(a) + u64::from(b) + u64::from(carry);
        prop_assert_eq!(add_carry(a, b, carry), (sum as u32, (sum >> 32) as u32));
    }

    #[test]
    fn bit_operations(a in word(), b in word(), position in amount(), length in amount()) {
        check_bits::<u16>(a, b, position, length);
        check_bits::<i16>(a, b, position, length);
        check_bits::<u32>(a, b, position, length);
        check_bits::<i32>(a, b, position, length);
        check_bits::<u64>(a, b, position, length);
        check_bits::<i64>(a, b, position, length);
    }

    #[test]
    fn three_input_logic(a: u32, b: u32, c: u32, table: u8) {
        let row = |i: u32| (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
        let expected = (0..32).fold(0, |d, i| d | u32::from(table >> row(i) & 1) << i);
        prop_assert_eq!(lop3(a, b, c, table), expected);
    }

    #[test]
    fn funnel_shifts(a: u32, b: u32, c in amount()) {
        for (wrap, n) in [(true, c % 32), (false, c.min(32))] {
            let left = b.checked_shl(n).unwrap_or(0) | a.checked_shr(32 - n).unwrap_or(0);
            prop_assert_eq!(shf_l(a, b, c, wrap), left);
            let right = b.checked_shl(32 - n).unwrap_or(0) | a.checked_shr(n).unwrap_or(0);
            prop_assert_eq!(shf_r(a, b, c, wrap), right);
        }
    }

    #[test]
    fn dot_products(a: u32, b: u32, c: u32) {
        let bytes = |word: u32, signed: bool| {
            word.to_le_bytes().map(|x| if signed { i64::from(x as i8) } else { i64::from(x) })
        };
        let halves = |word: u32, signed: bool| {
            [word as u16, (word >> 16) as u16]
                .map(|x| if signed { i64::from(x as i16) } else { i64::from(x) })
        };
        for (s, t) in [(false, false), (true, false), (false, true), (true, true)] {
            let (x, y, h) = (bytes(a, s), bytes(b, t), halves(a, s));
            let dot: i64 = (0..4).map(|i| x[i] * y[i]).sum();
            prop_assert_eq!(dp4a(a, s, b, t, c), (i64::from(c) + dot) as u32);
            let low = i64::from(c) + h[0] * y[0] + h[1] * y[1];
            prop_assert_eq!(dp2a(a, s, b, t, c, false), low as u32);
            let high = i64::from(c) + h[0] * y[2] + h[1] * y[3];
            prop_assert_eq!(dp2a(a, s, b, t, c, true), high as u32);
        }
    }
}

/// The ISA's table of `prmt` modes: the source bytes of d.b3 … d.b0 for selectors 0 … 3.
#[test]
fn byte_permutations() {
    use PermuteMode::*;
    let (a, b) = (0x1312_1110, 0x1716_1514); // byte i of b:a is 0x10 + i
    for (mode, rows) in [
        (Forward4, [0x1312_1110, 0x1413_1211, 0x1514_1312, 0x1615_1413]),
        (Backward4, [0x1516_1710, 0x1617_1011, 0x1710_1112, 0x1011_1213]),
        (Replicate8, [0x1010_1010, 0x1111_1111, 0x1212_1212, 0x1313_1313]),
        (EdgeClampLeft, [0x1312_1110, 0x1312_1111, 0x1312_1212, 0x1313_1313]),
        (EdgeClampRight, [0x1010_1010, 0x1111_1110, 0x1212_1110, 0x1312_1110]),
        (Replicate16, [0x1110_1110, 0x1312_1312, 0x1110_1110, 0x1312_1312]),
    ] {
        for (selector, expected) in (0..).zip(rows) {
            assert_eq!(prmt(a, b, selector | 0xfff0, mode), expected, "{mode:?} {selector}");
        }
    }
    assert_eq!(prmt(a, b, 0xffff_7531, Index), 0x1715_1311);
    assert_eq!(prmt(0x80ff_7f01, 0x00c0_0000, 0x8baf, Index), 0x00ff_ff00, "copies of the sign");
    assert_eq!(prmt(0x80ff_7f01, 0x00c0_0000, 0xe963, Index), 0xff00_c080);
}

#[test]
fn division_wraps() {
    assert_eq!((div(i32::MIN, -1), rem(i32::MIN, -1)), (i32::MIN, 0));
    assert_eq!((div(7, -2), rem(7, -2), rem(-7, 2)), (-3, 1, -1));
    assert_eq!((div(5u16, 0), rem(5i64, 0), div(0u32, 0)), (u16::MAX, -1, u32::MAX));
}
