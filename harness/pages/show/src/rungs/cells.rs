//! What lines consist of.

use report::{Row, format};
use tabled::grid::util::string::get_text_width;

use crate::table::terminal::colour;

/// Columns of a rate: "  0.0330".
pub const RATE: usize = 9;

pub fn right(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(get_text_width(text))) + text
}

pub fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(get_text_width(text)))
}

/// What is wrong with a step that has no speed, as far as there is room for it.
pub fn trouble(row: &Row, room: usize) -> String {
    let paint = colour(row.outcome);
    if let Some(why) = &row.not_modelled {
        let ratio = row.measured.as_ref().map(|it| format!("{}*, ", format::factor(it.ratio)));
        let text = format!("{}not modelled: {why}", ratio.unwrap_or_default());
        return text.chars().take(room).collect();
    }
    let reason = row.reason.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    let text: String = format!("{}: {reason}", row.outcome).chars().take(room).collect();
    format!("{paint}{text}{paint:#}")
}
