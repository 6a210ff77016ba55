//! An account as tables, for the terminal and for the book; for the slide's GPU with the slide's.

use report::format::significant;
use show::table::Table;
use show::table::terminal::{bold, wrap};

use super::account::Accounting;
use super::slide;
use crate::format::ratio;

const SLIDE: &str = "The tutorial's slide 49, of this step on this GPU:";

/// An account in lines of at most `width` columns.
pub fn terminal(accounting: &Accounting, width: usize) -> String {
    let rates_of = |accounting| rates(accounting, bold).terminal(width);
    let mut text = format!("{}\n{}", lines(accounting, bold).terminal(width), rates_of(accounting));
    if slide::is_of(accounting) {
        text += &format!("\n{SLIDE}\n{}", rates_of(&slide::accounting()));
        for difference in slide::differences(accounting) {
            text += &format!("{}\n", wrap(&difference, width));
        }
    }
    text
}

/// The same for the book.
pub fn markdown(accounting: &Accounting) -> String {
    let strong = |text: &str| format!("**{text}**");
    let rates_of = |accounting| rates(accounting, strong).markdown();
    let mut text = format!("{}\n{}", lines(accounting, strong).markdown(), rates_of(accounting));
    if slide::is_of(accounting) {
        text += &format!("\n{SLIDE}\n\n{}\n", rates_of(&slide::accounting()));
        for difference in slide::differences(accounting) {
            text += &format!("- {difference}\n");
        }
    }
    text
}

/// What is executed.
fn lines(accounting: &Accounting, strong: fn(&str) -> String) -> Table {
    let head = ["instruction", "number", "clocks each", "clocks"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(accounting.lines.iter().map(|line| {
        vec![line.name.clone(), ratio(line.number), ratio(line.clocks_each), ratio(line.clocks())]
    }));
    let (floating, all) = accounting.clocks();
    for (name, floating_only, clocks) in [("floating point", true, floating), ("all", false, all)] {
        let counted = accounting.lines.iter().filter(|line| line.is_floating || !floating_only);
        let number: f64 = counted.map(|line| line.number).sum();
        lines.push(vec![strong(name), ratio(number), String::new(), ratio(clocks)]);
    }
    Table::lines(lines, 1)
}

/// What rates that allows.
fn rates(accounting: &Accounting, strong: fn(&str) -> String) -> Table {
    let head = format!("for {} flop", accounting.flop);
    let mut lines = vec![[&head, "clocks", "GFLOP/s", "reached"].map(str::to_owned).to_vec()];
    let giga = |rate: f64| significant(rate / 1e9);
    lines.extend(accounting.rates().into_iter().map(|rate| {
        let reached = format!("{:.0} %", rate.reached_percent);
        vec![rate.name, ratio(rate.clocks), giga(rate.flop_per_second), reached]
    }));
    let timed = &accounting.timed;
    let clocks = ratio(accounting.timed_clocks());
    lines.push(vec![strong(timed.source), clocks, giga(timed.flop_per_second), String::new()]);
    Table::lines(lines, 1)
}
