//! What a program's launches did, to read.

use launches::format::{count, shape};
use show::table::terminal::wrap;
use show::table::{Field, Table};
use ui::output::{hazard, section};

use super::outcome::{KernelOutcome, Outcome, plain_name};

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
            text += &wrap(&with_short_names(&fault.message), width);
            text.push('\n');
        }
    }
    let warned = "Warnings: the memory model of PTX does not order this, GPUs of today do";
    for (title, all) in [("Hazards", &outcome.hazards), (warned, &outcome.warnings)] {
        if !all.is_empty() {
            text += &section(title);
        }
        for found in all {
            text += &hazard(&with_short_names(&found.message), width);
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
            let message = with_short_names(&refused.message);
            text += &wrap(&format!("{}{times}: {message}", refused.call), width);
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
            Field::text("kernel", |it: &KernelOutcome| short(&it.kernel)).wraps(16),
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

/// A longer name of a kernel does not help anybody who reads it.
const LONGEST: usize = 80;

/// A name of C++, of which a long one is without its template arguments.
fn short(name: &str) -> String {
    let (mut depth, mut short) = (0_i32, String::new());
    for letter in name.chars() {
        match letter {
            '<' => {
                if depth == 0 {
                    short += "<…>";
                }
                depth += 1;
            }
            '>' => depth -= 1,
            _ if depth == 0 => short.push(letter),
            _ => {}
        }
    }
    if name.len() > LONGEST && depth == 0 { short } else { name.to_owned() }
}

/// A message with the names of the source in place of long ones of the compiler, which stand between two `` ` ``.
fn with_short_names(message: &str) -> String {
    let parts = message.split('`').enumerate().map(|(at, part)| {
        let is_long = at % 2 == 1 && part.starts_with("_Z") && part.len() > LONGEST;
        if is_long { short(&plain_name(part)) } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_template_arguments() {
        assert_eq!(short("scale<float, 4>"), "scale<float, 4>");
        let long = format!("space::kernel<space::tile<{}>, 3>::run<1>", "int, ".repeat(20));
        assert_eq!(short(&long), "space::kernel<…>::run<…>");
        let compared = format!("{}operator<", "x".repeat(80));
        assert_eq!(short(&compared), compared);
    }

    #[test]
    fn long_names_of_the_compiler_are_those_of_the_source() {
        let tile = format!("_Z5scaleI{}EvPf", "4Tile".repeat(20));
        let message = format!("race: at `tile`\n  in kernel `{tile}` at a.ptx:3");
        assert_eq!(
            with_short_names(&message),
            "race: at `tile`\n  in kernel `scale<…>` at a.ptx:3"
        );
        assert_eq!(with_short_names("in kernel `_Z5scalePf`"), "in kernel `_Z5scalePf`");
    }
}
