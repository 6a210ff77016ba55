//! Rules of thumb for the number of threads of a block, each tested on a sweep over block sizes.
//!
//! The rules are those of NVIDIA's best-practice notes ("Thread and Block Heuristics") and of the
//! tutorial. Each says whether it held for a step, from the rows of the sweep.

#[cfg(test)]
mod tests;

use report::format;
use report::statistics::Verdict;
use report::tuning::{Trial, Tuning};
use report::{Occupancy, Report};

use crate::table::terminal::{bold, wrap};
use crate::table::{Cell, Field, Table, Tone};

/// Lanes of a warp.
const WARP: u32 = 32;
/// A block size is good enough where it costs no more than this over the best.
const GOOD_ENOUGH: f64 = 0.05;

/// A step with blocks of several sizes, timed at the step's own n.
struct Sweep<'r> {
    tuning: Tuning<'r>,
    /// Multiprocessors of the GPU, where they are known.
    multiprocessors: Option<u32>,
}

/// A block size of a sweep.
type Point<'p> = &'p Trial<'p>;

/// Whether a rule held and the figures that say so; else what the sweep lacks.
type Judged = Result<(bool, String), String>;

/// A rule, who states it, and how it is tested.
type Rule = (&'static str, &'static str, fn(&Sweep) -> Judged);

const NOTES: &str = "best-practice notes, 10.5";

const RULES: [Rule; 6] = [
    ("a multiple of the warp's 32 threads", NOTES, multiple),
    ("at least 64 threads, and so few only with several blocks on a multiprocessor", NOTES, least),
    ("128 to 256 threads to begin with", NOTES, start),
    ("three or four smaller blocks on a multiprocessor rather than one large", NOTES, several),
    ("256 threads everywhere", "tutorial, slide 29", everywhere),
    (
        "more blocks than multiprocessors",
        "CUDA C++ Best Practices Guide, Thread and Block Heuristics",
        more_blocks,
    ),
];

/// The findings of all sweeps over blocks in a report, in lines of at most `width` columns; nothing
/// where there is none.
pub fn text(report: &Report, width: usize) -> String {
    let mut text = String::new();
    for sweep in Sweep::of(report) {
        text += &format!("\n{}\n", bold(&format!("Rules for blocks, {}", sweep.tuning.title())));
        for (rule, _, test) in RULES {
            let judged = test(&sweep);
            let (word, tone) = judgement(&judged);
            let (paint, figures) = (tone.colour(), figures(judged));
            let line = format!("{paint}{word}{paint:#}: {rule} ({figures})");
            text += &format!("{}\n", wrap(&line, width));
        }
    }
    text
}

/// The same as Markdown tables.
pub fn markdown(report: &Report) -> String {
    let tables = Sweep::of(report).into_iter().map(|sweep| {
        let word = |judged: Judged| Cell::from(judgement(&judged).0).tone(Tone::Best);
        let fields = vec![
            Field::text("rule", |(rule, ..): &Rule| *rule),
            Field::text("source", |(_, source, _): &Rule| *source),
            Field::text("", |(.., test): &Rule| word(test(&sweep))),
            Field::text("figures", |(.., test): &Rule| figures(test(&sweep))),
        ];
        format!("{}:\n\n{}", sweep.tuning.title(), Table::of(&RULES, fields).markdown())
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn judgement(judged: &Judged) -> (&'static str, Tone) {
    match judged {
        Ok((true, _)) => ("held", Tone::Best),
        Ok((false, _)) => ("did not hold", Tone::Doubtful),
        Err(_) => ("unknown", Tone::Dim),
    }
}

fn figures(judged: Judged) -> String {
    judged.map_or_else(|missing| missing, |(_, figures)| figures)
}

impl Sweep<'_> {
    /// The sweeps of a report: steps that were timed with at least two block sizes.
    fn of(report: &Report) -> Vec<Sweep<'_>> {
        let multiprocessors = report.device.as_ref().and_then(|device| device.multiprocessors);
        let is_point = |it: &Trial| it.row.defines.is_empty() && it.row.n() == Some(it.timed.n);
        let mut sweeps: Vec<Sweep> = Vec::new();
        for mut tuning in Tuning::of(report) {
            tuning.trials.retain(is_point);
            tuning.trials.sort_by_key(|point| point.row.block);
            // A step that was too slow for the size has another: that cannot be compared.
            let is_known = sweeps.iter().any(|sweep| sweep.tuning.step == tuning.step);
            if tuning.trials.len() > 1 && !is_known {
                sweeps.push(Sweep { tuning, multiprocessors });
            }
        }
        sweeps
    }

    fn points(&self) -> impl Iterator<Item = Point<'_>> {
        self.tuning.trials.iter()
    }

    fn best(&self) -> Result<Point<'_>, String> {
        fastest(self.points()).ok_or_else(|| "the sweep has no times".to_owned())
    }
}

fn block(point: Point) -> u32 {
    point.row.block.unwrap_or(1)
}

fn fastest<'p>(points: impl Iterator<Item = Point<'p>>) -> Option<Point<'p>> {
    points.min_by(|one, other| one.timed.seconds.total_cmp(&other.timed.seconds))
}

/// A block size and its time.
fn timed(point: Point) -> String {
    format!("{} threads {}", block(point), format::time(Some(point.timed.seconds)))
}

/// Whether the first of two compares like this with the second, and both with their times.
fn pair(one: Point, other: Point, is_good: fn(Verdict) -> bool) -> (bool, String) {
    (is_good(one.against(other)), format!("{}, {}", timed(one), timed(other)))
}

/// Whether all pairs kept to a rule.
fn all(tested: Vec<(bool, String)>, missing: &str) -> Judged {
    if tested.is_empty() {
        return Err(missing.to_owned());
    }
    let (held, figures): (Vec<bool>, Vec<String>) = tested.into_iter().unzip();
    Ok((held.into_iter().all(|held| held), figures.join("; ")))
}

fn is_faster(verdict: Verdict) -> bool {
    verdict == Verdict::Faster
}

/// The fastest of the points that keep to a rule against the fastest of those that do not.
fn groups(sweep: &Sweep, is_good: impl Fn(Point) -> bool, missing: [&str; 2]) -> Judged {
    let of = |wanted: bool| fastest(sweep.points().filter(|point| is_good(point) == wanted));
    let good = of(true).ok_or_else(|| format!("the sweep has {}", missing[0]))?;
    let bad = of(false).ok_or_else(|| format!("the sweep has {}", missing[1]))?;
    Ok(pair(good, bad, is_faster))
}

/// Each block that is no multiple against the next one that is.
fn multiple(sweep: &Sweep) -> Judged {
    let uneven = sweep.points().filter(|point| !block(point).is_multiple_of(WARP));
    let tested = uneven.filter_map(|uneven| {
        let threads = block(uneven).next_multiple_of(WARP);
        let whole = sweep.points().find(|point| block(point) == threads)?;
        Some(pair(whole, uneven, |verdict| verdict != Verdict::Slower))
    });
    let missing = "the sweep has no pair of a block that is no multiple and one of as many warps";
    all(tested.collect(), missing)
}

/// Blocks below 64 against the fastest of the others; and blocks of 64 that win share their
/// multiprocessor.
fn least(sweep: &Sweep) -> Judged {
    let missing = ["no block of 64 or more", "no block below 64"];
    let (is_faster, figures) = groups(sweep, |point| block(point) >= 64, missing)?;
    let best = sweep.best()?;
    let is_alone = best.row.occupancy.as_ref().is_some_and(|resident| resident.blocks < 2);
    Ok((is_faster && !((64..128).contains(&block(best)) && is_alone), figures))
}

/// The fastest of 128 to 256 against the fastest of all.
fn start(sweep: &Sweep) -> Judged {
    let good = sweep.points().filter(|point| (128..=256).contains(&block(point)));
    near_best(sweep, fastest(good), "no block of 128 to 256")
}

/// 256 against the fastest of all.
fn everywhere(sweep: &Sweep) -> Judged {
    near_best(sweep, sweep.points().find(|point| block(point) == 256), "no block of 256")
}

fn near_best(sweep: &Sweep, own: Option<Point>, missing: &str) -> Judged {
    let own = own.ok_or_else(|| format!("the sweep has {missing}"))?;
    let best = sweep.best()?;
    let loss = own.timed.seconds / best.timed.seconds - 1.0;
    let figures = match block(own) == block(best) {
        true => format!("{} is the fastest", timed(own)),
        false => format!("{}, {:.1} % more than {}", timed(own), 100.0 * loss, timed(best)),
    };
    Ok((loss <= GOOD_ENOUGH, figures))
}

/// Three or more blocks on a multiprocessor against a single one, with as many warps on it: what
/// differs is the number of blocks alone.
fn several(sweep: &Sweep) -> Judged {
    let known: Vec<(Point, &Occupancy)> =
        sweep.points().filter_map(|point| Some((point, point.row.occupancy.as_ref()?))).collect();
    if known.len() < sweep.points().count() {
        return Err("what is resident is not known".to_owned());
    }
    let alone = known.iter().filter(|(_, resident)| resident.blocks == 1);
    let tested = alone.filter_map(|(large, whole)| {
        let equal = known
            .iter()
            .filter(|(_, it)| it.blocks >= 3 && it.warps.abs_diff(whole.warps) * 4 <= whole.warps);
        Some(pair(fastest(equal.map(|(point, _)| *point))?, large, is_faster))
    });
    let missing = "no block alone on a multiprocessor can be compared with three or more of about \
                   as many warps";
    all(tested.collect(), missing)
}

/// Grids with fewer blocks than multiprocessors against the others.
fn more_blocks(sweep: &Sweep) -> Judged {
    let multiprocessors =
        sweep.multiprocessors.ok_or("the number of multiprocessors is not known")?;
    let blocks = |point: Point| sweep.tuning.n.div_ceil(u64::from(block(point).max(1)));
    let missing = [
        "no grid with more blocks than multiprocessors",
        "no grid with fewer blocks than multiprocessors; take a smaller size",
    ];
    groups(sweep, |point| blocks(point) > u64::from(multiprocessors), missing)
}
