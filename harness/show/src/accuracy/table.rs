//! Speed and error as a table, for pages of text.

use super::{Accuracies, Point, words};
use crate::names;
use crate::table::{figures, markdown_line};

const HEADS: [&str; 6] =
    ["step", "10⁹ interactions/s", "TFLOP/s at 20", "error", "worst body", "front"];

/// The steps as a Markdown table. `link` gives the address behind a step's name.
pub fn markdown(accuracies: &Accuracies, link: &dyn Fn(&Point) -> Option<String>) -> String {
    let mut text = markdown_line(&HEADS.map(str::to_owned));
    text += "|:--|--:|--:|--:|--:|:-:|\n";
    for point in &accuracies.points {
        let slug = names::split(&point.step).1;
        let name = match link(point) {
            Some(address) => format!("[{slug}]({address})"),
            None => format!("`{slug}`"),
        };
        let detour = if point.detour { " (detour)" } else { "" };
        text += &markdown_line(&[
            format!("{name}{detour}: {}", point.changes),
            figures::rate(Some(point.rate)),
            figures::significant(words::tera(point.rate)),
            words::error(point),
            figures::error(point.worst),
            if point.front { "●" } else { "" }.to_owned(),
        ]);
    }
    text
}
