//! Counts as people type them: `4096`, `64k`, `1M`; shapes of launches; values of a kernel's parameters.

use report::{Defines, is_name};

use crate::Usage;

/// Reads a count of at least 1. `k` and `M` are powers of ten, as in the tutorial's "1 k, 10 k, 100
/// k bodies": `64k` is 64000.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse(text: &str) -> Result<u64, Usage> {
    let digits = text.trim_end_matches(['k', 'K', 'M']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        _ => 0,
    };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || unit == 0 {
        return Err("not a whole number; write it as 4096, 64k (64 000) or 1M (1 000 000)".into());
    }
    match digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit)) {
        Some(0) => Err("must be at least 1".into()),
        Some(count) => Ok(count),
        None => Err("too large for any machine".into()),
    }
}

/// The same for what a `u32` counts.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse_u32(text: &str) -> Result<u32, Usage> {
    let count = parse(text)?;
    u32::try_from(count).map_err(|_| format!("too large; the most is {}", u32::MAX).into())
}

/// Reads a grid or block: one to three counts, parted by commas; those left out are 1.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse_shape(text: &str) -> Result<[u32; 3], Usage> {
    let mut shape = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("there are three dimensions at most: X,Y,Z".into());
    }
    for (place, part) in shape.iter_mut().zip(parts) {
        *place = parse_u32(part.trim()).map_err(|why| format!("`{part}`: {why}"))?;
    }
    Ok(shape)
}

/// Counts in ascending order, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(pub Vec<u64>);

/// Reads counts and ranges, apart by commas: `1k..8k` is 1000, 2000, 4000, 8000; the last is always
/// there, also where doubling would pass it by.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse_list(text: &str) -> Result<Counts, Usage> {
    let mut counts = Vec::new();
    for part in text.split(',').map(str::trim) {
        let wrong = |problem| Usage(format!("`{part}`: {problem}"));
        let Some((first, last)) = part.split_once("..") else {
            counts.push(parse(part).map_err(wrong)?);
            continue;
        };
        let (first, last) = (parse(first).map_err(wrong)?, parse(last).map_err(wrong)?);
        if first > last {
            return Err(wrong("the range ends before it begins".into()));
        }
        let doubled = std::iter::successors(Some(first), |count| count.checked_mul(2));
        counts.extend(doubled.take_while(|&count| count < last));
        counts.push(last);
    }
    counts.sort_unstable();
    counts.dedup();
    Ok(Counts(counts))
}

/// Reads a parameter of a kernel and its values, whole numbers and ranges: `UNROLL=1,2,4` or
/// `UNROLL=1..4`.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse_defines(text: &str) -> Result<Defines, Usage> {
    const HOW: &str = "write a name and whole numbers: UNROLL=1,2,4";
    let (name, list) = text.split_once('=').ok_or(HOW)?;
    let name = name.trim();
    if !is_name(name) {
        return Err(format!("`{name}` is no name of C; {HOW}").into());
    }
    let mut values = Vec::new();
    for part in list.split(',').map(str::trim) {
        if part.contains("..") {
            let Counts(range) = parse_list(part)?;
            let range: Result<Vec<i64>, _> = range.into_iter().map(i64::try_from).collect();
            values.extend(range.map_err(|_| format!("`{part}`: too large"))?);
        } else {
            values.push(part.parse().map_err(|_| format!("`{part}` is no whole number; {HOW}"))?);
        }
    }
    values.sort_unstable();
    values.dedup();
    Ok(Defines { name: name.to_owned(), values })
}

/// An option of a ladder's problem and values for it, in the order in which they were typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The option, without the dashes.
    pub name: String,
    /// The values, at least two.
    pub values: Vec<String>,
}

/// Reads an option and its values: `theta=0.25,0.5,1`.
///
/// # Errors
/// The text is nothing of that kind; the message says how to write it.
pub fn parse_values(text: &str) -> Result<Values, Usage> {
    const HOW: &str = "write an option and at least two values: theta=0.25,0.5,1";
    let (name, list) = text.split_once('=').ok_or(HOW)?;
    let values: Vec<String> = list.split(',').map(|value| value.trim().to_owned()).collect();
    // Each has a folder.
    let is_plain = |text: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        !text.starts_with('.') && !text.is_empty() && text.chars().all(is_letter)
    };
    if let Some(bad) =
        [name].into_iter().chain(values.iter().map(String::as_str)).find(|it| !is_plain(it))
    {
        return Err(Usage(format!(
            "`{bad}` has other signs than letters, digits, `-`, `.` and `_`; {HOW}"
        )));
    }
    match values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
        Some((_, twice)) => Err(format!("{twice} is there twice").into()),
        None if values.len() < 2 => Err(HOW.into()),
        None => Ok(Values { name: name.to_owned(), values }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_an_option_are_a_list() {
        let values = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let theta = |list| Ok(Values { name: "theta".to_owned(), values: values(list) });
        assert_eq!(parse_values("theta=0.25, 1"), theta(&["0.25", "1"]));
        for bad in ["theta", "theta=", "theta=1", "theta=1,1", "theta=1,../2", "=1,2", "theta=1,,2"]
        {
            assert!(parse_values(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parameters_have_a_name_and_whole_numbers() {
        let read = |text| parse_defines(text).map(|defines| (defines.name, defines.values));
        assert_eq!(read("UNROLL=4,1,2,4"), Ok(("UNROLL".to_owned(), vec![1, 2, 4])));
        assert_eq!(read("_a1 = -1, 0"), Ok(("_a1".to_owned(), vec![-1, 0])));
        assert_eq!(read("A=1..16").map(|(_, values)| values.len()), Ok(5));
        for wrong in
            ["", "A", "A=", "=1", "1A=1", "A B=1", "A=x", "A=1.5", "A=1,", "A=1k", "A=4..1"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("A=9223372036854775808").is_err_and(|error| error.0.contains("whole number")));
        assert!(read("A").is_err_and(|error| error.0.contains("UNROLL=1,2,4")));
    }

    #[test]
    fn lists_have_counts_and_doubling_ranges() {
        let list = |text| parse_list(text).map(|Counts(counts)| counts);
        assert_eq!(list("1k..8k"), Ok(vec![1000, 2000, 4000, 8000]));
        assert_eq!(list("1k..5k"), Ok(vec![1000, 2000, 4000, 5000]));
        assert_eq!(list("32..1024").map(|blocks| blocks.len()), Ok(6));
        assert_eq!(list("4096, 10k,4096"), Ok(vec![4096, 10_000]));
        assert_eq!(list("7..7"), Ok(vec![7]));
        assert!(list("8..4").is_err_and(|error| error.0.contains("8..4")));
        for wrong in ["", "..", "1..", "..4", "1,,2", "1...4", "0..4", "a..b"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
        assert!(list("1..18446744073709551615").is_ok_and(|all| all.len() == 65));
    }

    #[test]
    fn what_a_shape_leaves_out_is_one() {
        assert_eq!(parse_shape("128"), Ok([128, 1, 1]));
        assert_eq!(parse_shape("16,8"), Ok([16, 8, 1]));
        assert_eq!(parse_shape("1k, 2,3"), Ok([1000, 2, 3]));
        for wrong in ["", "0", "1,0", "1,2,3,4", "-1", "4294967296", "a"] {
            parse_shape(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn units_are_powers_of_ten() {
        assert_eq!(parse("1"), Ok(1));
        assert_eq!(parse("4096"), Ok(4096));
        assert_eq!(parse("64k"), Ok(64_000));
        assert_eq!(parse("2K"), Ok(2_000));
        assert_eq!(parse("3M"), Ok(3_000_000));
    }

    #[test]
    fn what_is_no_count_says_how_to_write_one() {
        for text in ["", "k", "-1", "+1", "1.5", "1e6", "1kk", "1kM", "0x10", "1 k", "ten", "٣"] {
            assert!(parse(text).is_err_and(|message| message.0.contains("64k")), "{text:?}");
        }
        assert!(parse("0").is_err_and(|message| message.0.contains("at least 1")));
        assert!(parse("0k").is_err_and(|message| message.0.contains("at least 1")));
        assert!(
            parse("99999999999999999999").is_err_and(|message| message.0.contains("too large"))
        );
        assert!(
            parse("18446744073709551615M").is_err_and(|message| message.0.contains("too large"))
        );
    }
}
