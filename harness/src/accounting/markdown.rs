//! An account for the book.

use super::account::Accounting;
use super::slide;
use crate::explain::paint::ratio;
use report::format::significant;

/// The tables of an account; for the slide's GPU with the slide's.
pub fn markdown(accounting: &Accounting) -> String {
    let mut text = lines(accounting);
    text += "\n";
    text += &rates(accounting);
    if slide::is_of(accounting) {
        text += "\nThe tutorial's slide 49, of this step on this GPU:\n\n";
        text += &rates(&slide::accounting());
        text += "\n";
        for difference in slide::differences(accounting) {
            text += &format!("- {difference}\n");
        }
    }
    text
}

/// What is executed.
fn lines(accounting: &Accounting) -> String {
    let cell = |value: f64| ratio(Some(value));
    let mut text =
        "| instruction | number | clocks each | clocks |\n|:--|--:|--:|--:|\n".to_owned();
    for line in &accounting.lines {
        text += &format!(
            "| {} | {} | {} | {} |\n",
            line.name,
            cell(line.number),
            cell(line.clocks_each),
            cell(line.clocks())
        );
    }
    let (floating, all) = accounting.clocks();
    text += &format!("| **floating point** | | | {} |\n", cell(floating));
    text + &format!("| **all** | | | {} |\n", cell(all))
}

/// What rates that allows.
fn rates(accounting: &Accounting) -> String {
    let giga = |rate: f64| significant(rate / 1e9);
    let mut text = "| for 20 flop | clocks | GFLOP/s | reached |\n|:--|--:|--:|--:|\n".to_owned();
    for rate in accounting.rates() {
        text += &format!(
            "| {} | {} | {} | {:.0} % |\n",
            rate.name,
            ratio(Some(rate.clocks)),
            giga(rate.flop_per_second),
            rate.reached_percent
        );
    }
    let timed = &accounting.timed;
    text + &format!(
        "| **{}** | {} | {} | |\n",
        timed.source,
        ratio(Some(accounting.timed_clocks())),
        giga(timed.flop_per_second)
    )
}
