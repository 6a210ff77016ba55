//! Rates with the unit of a figure of merit.

use report::format;

/// A rate with its unit: "453·10⁹ elements/s", "2100 GB/s".
pub fn with_unit(rate: f64, unit: &str) -> String {
    let between = if unit.starts_with("10") { '·' } else { ' ' };
    format!("{}{between}{unit}", format::quantity(rate))
}

/// The unit as it stands above a column: "10⁹/s", "GB/s".
pub fn short(unit: &str) -> String {
    match unit.split_once(' ') {
        Some((scale, counted)) => {
            let time = counted.rsplit_once('/').map_or("s", |(_, time)| time);
            format!("{scale}/{time}")
        }
        None => unit.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_their_rate_and_stand_above_columns() {
        assert_eq!(with_unit(453.2, "10⁹ elements/s"), "453·10⁹ elements/s");
        assert_eq!(with_unit(2100.0, "GB/s"), "2100 GB/s");
        assert_eq!([short("10⁹ elements/s"), short("GB/s")], ["10⁹/s", "GB/s"]);
    }
}
