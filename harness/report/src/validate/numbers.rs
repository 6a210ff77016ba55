//! Checks of single numbers.

use super::Check;
use crate::statistics::Interval;

pub(super) fn positive(name: &str, value: f64) -> Check {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(format!("{name} is {value} and not a positive number"))
    }
}

pub(super) fn not_negative(name: &str, value: f64) -> Check {
    if value >= 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(format!("{name} is {value} and not a number from 0 up"))
    }
}

pub(super) fn at_least_one(name: &str, value: u64) -> Check {
    if value > 0 { Ok(()) } else { Err(format!("{name} is 0 and must be at least 1")) }
}

/// An interval of positive numbers that holds `value`.
pub(super) fn holds(name: &str, interval: Option<Interval>, value: f64) -> Check {
    let Some(Interval { low, high }) = interval else { return Ok(()) };
    positive(&format!("{name}.low"), low)?;
    positive(&format!("{name}.high"), high)?;
    if low <= value && value <= high {
        Ok(())
    } else {
        Err(format!("{name} is from {low} to {high} and does not hold {value}"))
    }
}
