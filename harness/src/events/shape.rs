//! Grids and blocks as people type them: `128`, `16,16`, `8,8,4`.

/// Reads one to three counts, parted by commas; those left out are 1.
pub fn parse(text: &str) -> Result<[u32; 3], String> {
    let mut shape = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("there are three dimensions at most: X,Y,Z".to_owned());
    }
    for (place, part) in shape.iter_mut().zip(parts) {
        *place = crate::count::parse_u32(part.trim()).map_err(|why| format!("`{part}`: {why}"))?;
    }
    Ok(shape)
}

/// The shape as it is shortest to read: `256`, `16 × 16`.
pub fn written(shape: [u32; 3]) -> String {
    let most = shape.iter().rposition(|&count| count != 1).unwrap_or(0);
    let parts: Vec<String> = shape[..=most].iter().map(u32::to_string).collect();
    parts.join(" × ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_one() {
        assert_eq!(parse("128"), Ok([128, 1, 1]));
        assert_eq!(parse("16,8"), Ok([16, 8, 1]));
        assert_eq!(parse("1k, 2,3"), Ok([1000, 2, 3]));
        for wrong in ["", "0", "1,0", "1,2,3,4", "-1", "4294967296", "a"] {
            parse(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn shapes_are_written_short() {
        assert_eq!(written([256, 1, 1]), "256");
        assert_eq!(written([1, 1, 1]), "1");
        assert_eq!(written([1, 1, 4]), "1 × 1 × 4");
    }
}
