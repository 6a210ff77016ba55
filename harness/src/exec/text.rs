//! What a program's launches did, to read.

use launches::format::{count, shape};
use show::table::terminal::wrap;
use show::table::{Field, Table};
use ui::output::{hazard, section};

use super::outcome::{KernelOutcome, Outcome};

/// The table of kernels, then what is wrong, in lines of at most `width` columns where that can be.
pub fn text(outcome: &Outcome, width: usize) -> String {
    let mut text = String::new();
    if outcome.kernels.is_empty() {
        text += "\nThe program launched no kernel that ran to its end.\n";
    } else {
        text += &section(&format!("Launches, with times modelled for {}", outcome.gpu));
        text += &kernels(&outcome.kernels).terminal(width);
    }
    if !outcome.faults.is_empty() {
        text += &section("Kernels that were stopped");
        for fault in &outcome.faults {
            text += &wrap(&fault.message, width);
            text.push('\n');
        }
    }
    let warned = "Warnings: the memory model of PTX does not order this, GPUs of today do";
    for (title, all) in [("Hazards", &outcome.hazards), (warned, &outcome.warnings)] {
        if !all.is_empty() {
            text += &section(title);
        }
        for found in all {
            text += &hazard(&found.message, width);
            if found.launches > 1 {
                text += &format!("  in {} launches\n", count(found.launches));
            }
        }
    }
    if !outcome.refused.is_empty() {
        text += &section("Calls that were refused");
        for refused in &outcome.refused {
            let times = match refused.times {
                1 => String::new(),
                times => format!(" ({} times)", count(times)),
            };
            text += &wrap(&format!("{}{times}: {}", refused.call, refused.message), width);
            text.push('\n');
        }
    }
    text
}

fn kernels(kernels: &[KernelOutcome]) -> Table {
    let all_watched = kernels.iter().all(|it| it.unwatched == 0);
    let microseconds = |kernel: &KernelOutcome| format!("{:.1}", kernel.seconds * 1e6);
    Table::of(
        kernels,
        vec![
            Field::text("kernel", |it: &KernelOutcome| it.kernel.clone()).wraps(16),
            Field::text("grid", |it: &KernelOutcome| shape(it.grid)),
            Field::text("block", |it: &KernelOutcome| shape(it.block)),
            Field::number("launches", |it: &KernelOutcome| count(it.launches)),
            Field::number("watched", move |it: &KernelOutcome| match all_watched {
                true => String::new(),
                false => count(it.launches - it.unwatched),
            }),
            Field::number("warp\ninstructions", |it: &KernelOutcome| count(it.warp_instructions)),
            Field::number("global\nsectors", |it: &KernelOutcome| count(it.global_sectors)),
            Field::number("shared\npasses", |it: &KernelOutcome| count(it.shared_wavefronts)),
            Field::number("atomics", |it: &KernelOutcome| count(it.atomics)),
            Field::number("modelled\nµs", microseconds),
            Field::text("bound", |it: &KernelOutcome| it.binding.clone().unwrap_or_default()),
            Field::number("hazards", |it: &KernelOutcome| count(it.hazards)),
        ],
    )
}
