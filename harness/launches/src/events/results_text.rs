//! Results to read: elements in rows, differences one a line.

use show::table::terminal::bold;
use show::table::{Field, Table};
use ui::output::section;

use super::results::{Compared, Difference, Outcome, Printed};
use crate::format::count;

/// Results, where some are asked for.
pub fn text(outcome: &Outcome, width: usize) -> String {
    let mut text = String::new();
    if !outcome.printed.is_empty() {
        text += &section("Printed");
        text.extend(outcome.printed.iter().map(|one| printed(one, width)));
    }
    if !outcome.expected.is_empty() {
        text += &section("Expected");
        text.extend(outcome.expected.iter().map(|one| compared(one, width)));
    }
    text
}

/// The elements in rows, each with the index of its first.
fn printed(printed: &Printed, width: usize) -> String {
    let Printed { name, element, first, of, values } = printed;
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let cell = longest(&mut values.iter().map(|value| value.text.chars().count()));
    let end = first + values.len() as u64;
    let label = format!("[{end}]").len();
    // A power of two in a row, so that indices are easy to follow.
    let room = width.saturating_sub(label + 2) / (cell + 2);
    let row = (1..=room.clamp(1, 16)).rev().find(|n| n.is_power_of_two()).unwrap_or(1);
    let mut text = format!("{}: {element}[{of}]\n", bold(name));
    for (number, cells) in values.chunks(row).enumerate() {
        let index = format!("[{}]", first + (number * row) as u64);
        let cells: String = cells.iter().map(|it| format!("  {:>cell$}", it.text)).collect();
        text += &format!("{index:>label$}{cells}\n");
    }
    if *first == 0 && end < *of {
        text += &format!("… {} more; --print '{name}[{end}..{of}]' prints them\n", of - end);
    }
    text
}

fn compared(compared: &Compared, width: usize) -> String {
    let Compared { name, elements, different, greatest, first } = compared;
    let name = bold(name);
    let most = match greatest {
        Some(0.0) => "all equal".to_owned(),
        Some(most) => format!("the greatest difference is {most:.3e}"),
        None => "some are NaN or infinite on one side".to_owned(),
    };
    if *different == 0 {
        return format!("{name}: {} elements as expected; {most}\n", count(*elements));
    }
    let head =
        format!("{name}: {} of {} elements differ; {most}", count(*different), count(*elements));
    let fields = vec![
        Field::text("index", |one: &Difference| {
            let index: Vec<String> = one.index.iter().map(u64::to_string).collect();
            format!("[{}]", index.join(","))
        }),
        Field::number("got", |one: &Difference| one.got.text.clone()),
        Field::number("expected", |one: &Difference| one.expected.text.clone()),
    ];
    let more = match different - first.len() as u64 {
        0 => String::new(),
        more => format!("… and {} more\n", count(more)),
    };
    format!("{head}\n{}{more}", Table::all(first, fields).terminal(width))
}
