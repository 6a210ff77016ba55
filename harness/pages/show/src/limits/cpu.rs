//! How near each step on the CPU comes to what this CPU was seen to do.

use report::bound::cpu::{ADD, ESTIMATE, LOAD, MULTIPLY, ROOT, STORE};
use report::format;
use report::{CpuLimits, Report};

use super::step::{Step, counted, first, part, steps, whole};
use crate::table::{Cell, Field, Table};
use crate::{Link, words};

type OfCpu<'r> = Step<'r, CpuLimits>;

fn of_cpu(report: &Report) -> Vec<OfCpu<'_>> {
    steps(report, |row| row.cpu_limits.as_ref(), |limits| limits.n)
}

pub(super) fn table(report: &Report, link: Link) -> Table {
    let unit = words::figure(report).map_or("unit", words::unit);
    let executed = |step: &OfCpu| Some(step.limits.flop()? / step.timed.seconds);
    let of_peak = |step: &OfCpu| Some(executed(step)? / step.limits.peak_flop_per_second);
    let per_unit = |count: f64, step: &OfCpu| format::quantity(count / step.timed.work);
    let instructions =
        |step: &OfCpu| step.limits.executed.map(|it| per_unit(it.arithmetic(), step));
    let limit = |step: &OfCpu| match step.limits.executed {
        Some(_) => step.binding(),
        None => Some("not counted".to_owned()),
    };
    let vectors =
        |it: &OfCpu| Cell::from(&*it.limits.vectors).detail(format!("{} lanes", it.limits.lanes));
    let clock = |step: &OfCpu| Some(format!("{:.0}\u{2009}MHz", step.limits.clock_mhz?));
    let mut fields = first(report, link, "GFLOP/s", giga, executed);
    fields.insert(1, Field::number("limit", limit));
    fields.extend([
        Field::number("% of peak", |step: &OfCpu| of_peak(step).map(whole)),
        part("% of multiply", MULTIPLY, 0),
        part("% of add", ADD, 0),
        part("% of 1/√ est.", ESTIMATE, 2),
        part("% of √\u{a0}and\u{a0}÷", ROOT, 2),
        part("% of load", LOAD, 3),
        part("% of store", STORE, 4),
        Field::number("peak", |step: &OfCpu| giga(step.limits.peak_flop_per_second)).on_pages(),
        Field::number(format!("flop per {unit}"), |it: &OfCpu| {
            it.limits.flop().map(|flop| per_unit(flop, it))
        })
        .on_pages(),
        Field::number(format!("vector instructions per {unit}"), instructions).on_pages(),
        Field::number("vectors", vectors).on_pages(),
        Field::number("clock", clock).on_pages(),
    ]);
    Table::of(&of_cpu(report), fields).named("Limits of the CPU", note(report).unwrap_or_default())
}

/// What the table's figures are parts of, and how near the fastest step that was counted comes.
pub(super) fn note(report: &Report) -> Option<String> {
    let steps = of_cpu(report);
    let any = steps.first()?;
    let mut seen: Vec<&CpuLimits> = steps.iter().map(|step| step.limits).collect();
    seen.sort_by_key(|limits| limits.threads);
    seen.dedup_by_key(|limits| limits.threads);
    let seen: Vec<String> = seen.into_iter().map(peak).collect();
    let mut note = format!(
        "LIMITS: how busy each unit of the cores is, in % of the step's time, from the {} instructions \
         counted while the step ran. What the units can do was measured between the samples; \
         multiply-adds alone make {}.{}",
        vectors(&any.limits.vectors),
        seen.join(", "),
        counted(any.figure, "GFLOP/s"),
    );
    if steps.iter().any(|step| step.limits.executed.is_none()) {
        note += " Not counted: code that leaves vectors to the compiler.";
    }
    let counted = steps.iter().filter(|step| !step.bounds.is_empty());
    let fastest = counted.max_by(|one, other| one.timed.rate().total_cmp(&other.timed.rate()));
    if let Some((step, bound)) = fastest.and_then(|step| Some((step, step.bounds.first()?))) {
        let reached = whole(bound.fraction);
        note += &format!(
            " {} reaches {reached} % of what its limit allows ({}).",
            step.row.step, bound.name
        );
    }
    Some(note)
}

/// The name of vectors as people write it.
fn vectors(name: &str) -> &str {
    match name {
        "avx512" => "AVX-512",
        "avx2" => "AVX2 + FMA",
        "neon" => "NEON",
        other => other,
    }
}

/// "233 GFLOP/s on 2 threads at 3675 MHz".
fn peak(limits: &CpuLimits) -> String {
    let clock = limits.clock_mhz.map_or_else(String::new, |clock| format!(" at {clock:.0} MHz"));
    let threads = words::count(limits.threads, "thread");
    format!("{} GFLOP/s on {threads}{clock}", giga(limits.peak_flop_per_second))
}

fn giga(rate: f64) -> String {
    format::significant(rate / 1e9)
}

#[cfg(test)]
mod tests {
    use report::synthetic;

    use super::*;
    use crate::limits::{markdown, note, tables};
    use crate::{NO_LINK, plain, says};

    /// 16 operations a pair, half of them of multiply-adds.
    #[test]
    fn figures_are_those_of_the_limits() {
        let report = synthetic::host();
        let text = plain(&tables(&report, NO_LINK)[0].terminal(120));
        let line = |step: &str| text.lines().find(|line| line.starts_with(step)).expect("its line");
        // After the step and its limit, "multiply 87 %".
        let all: Vec<&str> = line("08-threads").split_whitespace().skip(3).collect();
        let row = report.rows.iter().find(|row| row.step == "08-threads").expect("its row");
        let limits = row.cpu_limits.as_ref().expect("its limits");
        let rate = row.rate().expect("a rate");
        let whole = |fraction: f64| format!("{:.0}", 100.0 * fraction);
        assert_eq!(all[1], format::significant(20.0 * rate / 1e9));
        assert_eq!(all[2], format::significant(16.0 * rate / 1e9), "4 + 3 + 2 · 4 + 1");
        assert_eq!(all[3], whole(16.0 * rate / limits.peak_flop_per_second));
        let multiply = limits.bounds.iter().find(|bound| bound.name == MULTIPLY).expect("it binds");
        assert_eq!(all[4], whole(multiply.fraction));
        assert!(line("08-threads").contains(&format!("multiply {} %", all[4])), "{text}");
        assert!(line("01-c-loop").contains("not counted"), "{text}");
        assert!(!text.contains("MUFU") && !text.contains("TFLOP"), "{text}");
    }

    #[test]
    fn the_note_says_what_was_measured_and_reached() {
        let report = synthetic::host();
        let note = note(&report).expect("a note");
        says(
            &note,
            &[
                "AVX-512 instructions",
                "118 GFLOP/s on 1 thread at 3700 MHz, 3789 GFLOP/s on 32 threads at 3700 MHz",
                "Not counted",
                "08-threads reaches ",
                "(multiply).",
            ],
        );
        assert_eq!(markdown(&report, NO_LINK).lines().count(), 2 + report.rows.len());
    }
}
