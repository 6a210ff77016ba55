//! The GPU's steps beside the CPU's.

use maud::{Markup, html};

use super::table::{number, scrolled};
use crate::against::{Against, CPU_LADDER, Entry, table as plain, words};
use crate::plot::numbers;
use crate::table::figures;

/// All steps of both, and what one must know to read them.
pub fn table(against: &Against) -> Markup {
    let is_published = against.gpu.steps.iter().any(|entry| !entry.published.is_empty());
    let heads = &plain::HEADS[..plain::HEADS.len() - usize::from(!is_published)];
    let caption = words::caption(against).join(" ");
    let lines = html! {
        @for side in [&against.cpu, &against.gpu] {
            tbody {
                @for (place, entry) in side.steps.iter().enumerate() {
                    (line(against, (place, entry), is_published))
                }
            }
        }
    };
    scrolled("GPU against CPU", &caption, heads, lines)
}

fn line(against: &Against, (place, entry): (usize, &Entry), is_published: bool) -> Markup {
    let of_cpu = entry.ladder == CPU_LADDER;
    let roles = if of_cpu { words::roles(against, place) } else { Vec::new() };
    html! {
        tr.detour[entry.detour] {
            th scope="row" {
                (entry.step)
                small { @if entry.detour { "detour · " } (entry.title) }
            }
            td {
                (plain::place(entry))
                @for role in roles { small { (role) } }
            }
            (number(Some(numbers::count(entry.n))))
            (number(Some(numbers::quantity(entry.rate / 1e9))))
            @for times in against.times(entry) { (number(Some(plain::factor(times)))) }
            (number(entry.error.map(|error| figures::error(Some(error)))))
            @if is_published {
                @match entry.published.as_slice() {
                    [] => (number(None)),
                    all => td { @for one in all { small { (plain::figure(one)) } } },
                }
            }
        }
    }
}
