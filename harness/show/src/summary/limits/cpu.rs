//! How near each step on the CPU comes to what this CPU was seen to do.

use ladder::limits::{ADD, ESTIMATE, LOAD, MULTIPLY, ROOT, STORE};
use report::{CpuLimits, Row};
use vectors::Vectors;

use super::{Column, Step, binding, percent, whole};
use crate::accounting::account::FLOP;
use crate::table::figures;

/// The table's columns.
pub(super) const COLUMNS: [Column<CpuLimits>; 11] = [
    Column { head: "step", rank: 0, cell: |step| step.name.clone() },
    Column { head: "GFLOP/s\nat 20", rank: 1, cell: |step| figures::significant(at_20(step)) },
    Column { head: "exe-\ncuted", rank: 5, cell: executed },
    Column { head: "% of\npeak", rank: 0, cell: peak },
    Column { head: "% of\nmultiply", rank: 0, cell: |step| percent(MULTIPLY, step) },
    Column { head: "% of\nadd", rank: 0, cell: |step| percent(ADD, step) },
    Column { head: "% of\n1/√ est.", rank: 2, cell: |step| percent(ESTIMATE, step) },
    Column { head: "% of\n√ and ÷", rank: 2, cell: |step| percent(ROOT, step) },
    Column { head: "% of\nload", rank: 3, cell: |step| percent(LOAD, step) },
    Column { head: "% of\nstore", rank: 4, cell: |step| percent(STORE, step) },
    Column { head: "limit", rank: 0, cell: limit },
];

/// A row of the table.
pub(super) fn step(row: &Row) -> Option<Step<'_, CpuLimits>> {
    let limits = row.cpu_limits.as_ref().filter(|_| row.outcome.is_verified())?;
    let (name, n, seconds) = (row.step.clone(), limits.n, row.at(limits.n)?.seconds);
    Some(Step { name, n, seconds, limits, bounds: &limits.bounds })
}

/// What the table's figures are parts of, and how near the fastest step that was counted comes.
pub(super) fn note(rows: &[Row]) -> Option<String> {
    let steps: Vec<_> = rows.iter().filter_map(step).collect();
    let any = steps.first()?;
    let mut seen: Vec<&CpuLimits> = steps.iter().map(|step| step.limits).collect();
    seen.sort_by_key(|limits| limits.threads);
    seen.dedup_by_key(|limits| limits.threads);
    let seen: Vec<String> = seen.into_iter().map(peak_of).collect();
    let mut note = format!(
        "LIMITS: the least time that each unit of the cores needs for the {} instructions that were counted while \
         the step itself ran, in % of its time. What the units can do was measured between the samples; \
         multiply-adds alone make {}. GFLOP/s at 20 operations an interaction.",
        vectors(&any.limits.vectors),
        seen.join(", ")
    );
    if steps.iter().any(|step| step.limits.executed.is_none()) {
        note += " Not counted: code without vectors of its own, of which a compiler made what it could.";
    }
    let counted = steps.iter().filter(|step| !step.bounds.is_empty());
    let fastest = counted.max_by(|one, other| at_20(one).total_cmp(&at_20(other)));
    if let Some(bound) = fastest.and_then(|step| step.bounds.first()) {
        let name = fastest.map_or("", |step| &step.name);
        let reached = whole(bound.fraction);
        note += &format!(" {name} reaches {reached} % of what its limit allows ({}).", bound.name);
    }
    Some(note)
}

/// The name of vectors as people write it.
fn vectors(name: &str) -> &str {
    Vectors::ALL.iter().find(|vectors| vectors.name() == name).map_or(name, |it| it.title())
}

/// "233 GFLOP/s on 2 threads at 3675 MHz".
fn peak_of(limits: &CpuLimits) -> String {
    let peak = figures::significant(limits.peak_flop_per_second / 1e9);
    let plural = if limits.threads == 1 { "" } else { "s" };
    let clock = limits.clock_mhz.map_or_else(String::new, |clock| format!(" at {clock:.0} MHz"));
    format!("{peak} GFLOP/s on {} thread{plural}{clock}", limits.threads)
}

/// 10⁹ operations a second by the field's convention, whatever was executed.
fn at_20(step: &Step<CpuLimits>) -> f64 {
    FLOP * (step.n as f64).powi(2) / step.seconds / 1e9
}

/// 10⁹ operations a second that were executed.
fn executed(step: &Step<CpuLimits>) -> String {
    let flop = step.limits.flop();
    flop.map_or_else(|| "–".to_owned(), |flop| figures::significant(flop / step.seconds / 1e9))
}

/// Those in % of nothing but multiply-adds.
fn peak(step: &Step<CpuLimits>) -> String {
    let fraction =
        step.limits.flop().map(|flop| flop / step.seconds / step.limits.peak_flop_per_second);
    fraction.map_or_else(|| "–".to_owned(), whole)
}

fn limit(step: &Step<CpuLimits>) -> String {
    match step.limits.executed {
        Some(_) => binding(step),
        None => "not counted".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use tabled::grid::util::string::get_text_width;

    use super::*;
    use crate::output::plain;
    use crate::summary::limits::{self, table};
    use crate::synthetic;

    /// 16 operations an interaction, half of them of multiply-adds.
    #[test]
    fn figures_are_those_of_the_limits() {
        let rows = synthetic::host().rows;
        let text = plain(&table(&rows, 120));
        let line = |step: &str| text.lines().find(|line| line.starts_with(step)).expect("its line");
        let all: Vec<&str> = line("08-threads").split_whitespace().collect();
        let row = rows.iter().find(|row| row.step == "08-threads").expect("its row");
        let limits = row.cpu_limits.as_ref().expect("its limits");
        let rate = row.interactions_per_second().expect("a rate");
        let whole = |fraction: f64| format!("{:.0}", 100.0 * fraction);
        assert_eq!(all[1], figures::significant(20.0 * rate / 1e9));
        assert_eq!(all[2], figures::significant(16.0 * rate / 1e9), "4 + 3 + 2 · 4 + 1");
        assert_eq!(all[3], whole(16.0 * rate / limits.peak_flop_per_second));
        let multiply = limits.bounds.iter().find(|bound| bound.name == MULTIPLY).expect("it binds");
        assert_eq!(all[4], whole(multiply.fraction));
        assert!(line("08-threads").contains(&format!("multiply {} %", all[4])), "{text}");
        assert!(line("01-c-loop").trim_end().ends_with("not counted"), "{text}");
        assert!(!text.contains("MUFU") && !text.contains("TFLOP"), "{text}");
    }

    #[test]
    fn columns_give_way_and_the_limit_stays() {
        let rows = synthetic::host().rows;
        for width in [70, 80, 120] {
            let text = plain(&table(&rows, width));
            for line in text.lines() {
                assert!(get_text_width(line) <= width, "{width} columns: {line}");
            }
            assert!(text.contains("limit") && text.contains("peak"), "{text}");
        }
    }

    #[test]
    fn the_note_tells_what_was_measured_and_reached() {
        let rows = synthetic::host().rows;
        let note = limits::note(&rows).expect("a note");
        for told in [
            "AVX-512 instructions",
            "118 GFLOP/s on 1 thread at 3700 MHz, 3789 GFLOP/s on 32 threads at 3700 MHz",
            "Not counted",
            "08-threads reaches ",
            "(multiply).",
        ] {
            assert!(note.contains(told), "{told}: {note}");
        }
        let text = limits::markdown(&rows, &|_| None);
        assert_eq!(text.lines().count(), 2 + rows.len(), "{text}");
        assert!(text.lines().all(|line| line.matches('|').count() == COLUMNS.len() + 1), "{text}");
    }
}
