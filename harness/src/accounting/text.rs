//! An account on the terminal.

use super::account::Accounting;
use super::slide;
use crate::explain::paint::{bold, ratio};
use report::format::significant;
use show::table::Table;
use show::table::terminal::wrap;

/// The tables of an account, in lines of at most `width` columns.
pub fn text(accounting: &Accounting, width: usize) -> String {
    let mut text = lines(accounting, width);
    text += "\n";
    text += &rates(accounting, width);
    if slide::is_of(accounting) {
        text += "\nThe tutorial's slide 49, of this step on this GPU:\n";
        text += &rates(&slide::accounting(), width);
        for difference in slide::differences(accounting) {
            text += &format!("{}\n", wrap(&difference, width));
        }
    }
    text
}

/// What is executed.
fn lines(accounting: &Accounting, width: usize) -> String {
    let mut rows =
        vec![["instruction", "number", "clocks each", "clocks"].map(str::to_owned).to_vec()];
    let cell = |value: f64| ratio(Some(value));
    rows.extend(accounting.lines.iter().map(|line| {
        vec![line.name.clone(), cell(line.number), cell(line.clocks_each), cell(line.clocks())]
    }));
    let (floating, all) = accounting.clocks();
    let number = |floating_only: bool| -> f64 {
        let counted = accounting.lines.iter().filter(|line| line.is_floating || !floating_only);
        counted.map(|line| line.number).sum()
    };
    for (name, number, clocks) in
        [("floating point", number(true), floating), ("all", number(false), all)]
    {
        rows.push(vec![bold(name), cell(number), String::new(), cell(clocks)]);
    }
    table(rows, width)
}

/// What rates that allows.
fn rates(accounting: &Accounting, width: usize) -> String {
    let head = ["for 20 flop", "clocks", "GFLOP/s", "reached"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let giga = |rate: f64| significant(rate / 1e9);
    rows.extend(accounting.rates().iter().map(|rate| {
        let reached = format!("{:.0} %", rate.reached_percent);
        vec![rate.name.clone(), ratio(Some(rate.clocks)), giga(rate.flop_per_second), reached]
    }));
    let timed = &accounting.timed;
    let clocks = ratio(Some(accounting.timed_clocks()));
    rows.push(vec![bold(timed.source), clocks, giga(timed.flop_per_second), String::new()]);
    table(rows, width)
}

fn table(rows: Vec<Vec<String>>, width: usize) -> String {
    Table::lines(rows, 1).terminal(width)
}
