//! Checks of single numbers, by the names of their fields: a field that is added needs a line here only if it must
//! be above 0.

use serde::Serialize;
use serde_json::{Number, Value};

/// Which field is wrong, and why.
pub(super) type Check = Result<(), String>;

/// Whole numbers that are at least 1.
const AT_LEAST_ONE: [&str; 11] = [
    "block",
    "blocks",
    "cores",
    "count",
    "counted_n",
    "lanes",
    "most_warps",
    "n",
    "passes",
    "threads",
    "warps",
];

/// Numbers above 0, in whichever object they are. All others are from 0 up.
const POSITIVE: [&str; 13] = [
    "clock_mhz",
    "flop",
    "high",
    "launch_limit_seconds",
    "low",
    "peak_flop_per_second",
    "rates",
    "ratio",
    "scale",
    "seconds",
    "times_first",
    "whole_seconds",
    "work",
];

/// Lists of what stands under a name that means something else there.
const FROM_ZERO: [&str; 1] = ["bounds"];

/// Checks all numbers of a value.
pub(super) fn check(value: &impl Serialize) -> Check {
    let value = serde_json::to_value(value).map_err(|error| error.to_string())?;
    below(&value, "", false)
}

/// Checks what is below a field; the error begins with the way from there.
fn below(value: &Value, field: &str, from_zero: bool) -> Check {
    match value {
        Value::Number(number) => one(number, field, from_zero),
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
            below(item, field, from_zero).map_err(|problem| format!("[{at}]{}", inside(&problem)))
        }),
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
            let rule = if field == "rates" { field } else { name };
            below(value, rule, from_zero || FROM_ZERO.contains(&name.as_str()))
                .map_err(|problem| format!("{name}{}", inside(&problem)))
        }),
        _ => Ok(()),
    }
}

/// A problem as it follows the name of the field around it.
fn inside(problem: &str) -> String {
    let dot = if problem.starts_with([' ', '[']) { "" } else { "." };
    format!("{dot}{problem}")
}

fn one(number: &Number, field: &str, from_zero: bool) -> Check {
    if AT_LEAST_ONE.contains(&field) && number.as_u64() == Some(0) {
        return Err(" is 0 and must be at least 1".to_owned());
    }
    let Some(value) = number.as_f64().filter(|_| number.is_f64()) else { return Ok(()) };
    if POSITIVE.contains(&field) && !from_zero && value <= 0.0 {
        return Err(format!(" is {value} and not a positive number"));
    }
    if value < 0.0 {
        return Err(format!(" is {value} and not a number from 0 up"));
    }
    Ok(())
}
