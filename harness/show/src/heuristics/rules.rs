//! The rules, and whether each held.

use anstyle::{AnsiColor, Style};
use report::format;
use report::statistics::Verdict;

use super::sweep::{Point, Sweep};

/// Lanes of a warp.
const WARP: u32 = 32;

/// A block size is good enough where it costs no more than this over the best.
const GOOD_ENOUGH: f64 = 0.05;

/// What became of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    Held,
    DidNotHold,
    /// The sweep does not show it.
    Unknown,
}

/// A rule and what a sweep says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// Who states it.
    pub source: &'static str,
    /// Whether it held.
    pub judgement: Judgement,
    /// The figures that say so, or what is missing.
    pub figures: String,
}

impl Judgement {
    /// Its colour on a terminal.
    pub fn colour(self) -> Style {
        match self {
            Judgement::Held => AnsiColor::Green.on_default(),
            Judgement::DidNotHold => AnsiColor::Yellow.on_default(),
            Judgement::Unknown => Style::new().dimmed(),
        }
    }

    /// Its words in tables.
    pub fn words(self) -> &'static str {
        match self {
            Judgement::Held => "held",
            Judgement::DidNotHold => "did not hold",
            Judgement::Unknown => "unknown",
        }
    }
}

/// A rule, and how it is tested.
struct Rule {
    rule: &'static str,
    source: &'static str,
    test: fn(&Sweep) -> Result<(bool, String), String>,
}

const NOTES: &str = "best-practice notes, 10.5";

const RULES: [Rule; 6] = [
    Rule { rule: "a multiple of the warp's 32 threads", source: NOTES, test: multiple },
    Rule {
        rule: "at least 64 threads, and so few only with several blocks on a multiprocessor",
        source: NOTES,
        test: least,
    },
    Rule { rule: "128 to 256 threads to begin with", source: NOTES, test: start },
    Rule {
        rule: "three or four smaller blocks on a multiprocessor rather than one large",
        source: NOTES,
        test: several,
    },
    Rule { rule: "256 threads everywhere", source: "tutorial, slide 29", test: everywhere },
    Rule {
        rule: "more blocks than multiprocessors",
        source: "CUDA C++ Best Practices Guide, Thread and Block Heuristics",
        test: more_blocks,
    },
];

/// What a sweep says of every rule.
pub fn findings(sweep: &Sweep) -> Vec<Finding> {
    let find = |rule: &Rule| {
        let (judgement, figures) = match (rule.test)(sweep) {
            Ok((true, figures)) => (Judgement::Held, figures),
            Ok((false, figures)) => (Judgement::DidNotHold, figures),
            Err(missing) => (Judgement::Unknown, missing),
        };
        Finding { rule: rule.rule, source: rule.source, judgement, figures }
    };
    RULES.iter().map(find).collect()
}

/// The fastest of some points.
fn fastest<'s, 'r>(points: impl Iterator<Item = &'s Point<'r>>) -> Option<&'s Point<'r>>
where
    'r: 's,
{
    points.min_by(|one, other| one.seconds().total_cmp(&other.seconds()))
}

/// A block size and its time.
fn timed(point: &Point) -> String {
    format!("{} threads {}", point.block, format::time(Some(point.seconds())))
}

/// Whether the first of two is no slower than the second, and both with their times.
fn no_slower(one: &Point, other: &Point) -> (bool, String) {
    let figures = format!("{}, {}", timed(one), timed(other));
    (one.against(other) != Verdict::Slower, figures)
}

/// The fastest of the points that keep to a rule against the fastest of those that do not.
fn groups(
    sweep: &Sweep,
    is_good: impl Fn(&Point) -> bool,
    missing: [&str; 2],
) -> Result<(bool, String), String> {
    let of = |wanted: bool| fastest(sweep.points.iter().filter(|p| is_good(p) == wanted));
    let good = of(true).ok_or_else(|| format!("the sweep has {}", missing[0]))?;
    let bad = of(false).ok_or_else(|| format!("the sweep has {}", missing[1]))?;
    Ok((good.against(bad) == Verdict::Faster, format!("{}, {}", timed(good), timed(bad))))
}

/// Each block that is no multiple against the next one that is.
fn multiple(sweep: &Sweep) -> Result<(bool, String), String> {
    let is_multiple = |point: &&Point| point.block.is_multiple_of(WARP);
    let mut tested = Vec::new();
    for uneven in sweep.points.iter().filter(|point| !is_multiple(point)) {
        let warps = uneven.block.div_ceil(WARP);
        let whole = sweep.points.iter().find(|point| point.block == warps * WARP);
        tested.extend(whole.map(|whole| no_slower(whole, uneven)));
    }
    if tested.is_empty() {
        return Err(
            "the sweep has no pair of a block that is no multiple and one of as many warps"
                .to_owned(),
        );
    }
    let figures: Vec<String> = tested.iter().map(|(_, figures)| figures.clone()).collect();
    Ok((tested.iter().all(|(held, _)| *held), figures.join("; ")))
}

/// Blocks below 64 against the fastest of the others; and blocks of 64 that win share their multiprocessor.
fn least(sweep: &Sweep) -> Result<(bool, String), String> {
    let missing = ["no block of 64 or more", "no block below 64"];
    let (is_faster, figures) = groups(sweep, |point| point.block >= 64, missing)?;
    let best = fastest(sweep.points.iter()).ok_or("the sweep has no times")?;
    let alone =
        (64..128).contains(&best.block) && best.resident.is_some_and(|(blocks, _)| blocks < 2);
    Ok((is_faster && !alone, figures))
}

/// The fastest of 128 to 256 against the fastest of all.
fn start(sweep: &Sweep) -> Result<(bool, String), String> {
    let good = |point: &&Point| (128..=256).contains(&point.block);
    near_best(sweep, fastest(sweep.points.iter().filter(good)), "no block of 128 to 256")
}

/// 256 against the fastest of all.
fn everywhere(sweep: &Sweep) -> Result<(bool, String), String> {
    let own = sweep.points.iter().find(|point| point.block == 256);
    near_best(sweep, own, "no block of 256")
}

fn near_best(sweep: &Sweep, own: Option<&Point>, missing: &str) -> Result<(bool, String), String> {
    let own = own.ok_or_else(|| format!("the sweep has {missing}"))?;
    let best = fastest(sweep.points.iter()).ok_or("the sweep has no times")?;
    let loss = own.seconds() / best.seconds() - 1.0;
    let figures = match own.block == best.block {
        true => format!("{} is the fastest", timed(own)),
        false => format!("{}, {:.1} % more than {}", timed(own), 100.0 * loss, timed(best)),
    };
    Ok((loss <= GOOD_ENOUGH, figures))
}

/// Three or more blocks on a multiprocessor against a single one, with as many warps on it: what differs is the number of
/// blocks alone.
fn several(sweep: &Sweep) -> Result<(bool, String), String> {
    if sweep.points.iter().any(|point| point.resident.is_none()) {
        return Err("what is resident is not known".to_owned());
    }
    let warps_of = |point: &Point| point.resident.map_or(0, |(_, warps)| warps);
    let blocks_of = |point: &Point| point.resident.map_or(0, |(blocks, _)| blocks);
    let alone = sweep.points.iter().filter(|point| blocks_of(point) == 1);
    let pairs = alone.filter_map(|large| {
        let equal = |point: &&Point| {
            blocks_of(point) >= 3
                && warps_of(point).abs_diff(warps_of(large)) * 4 <= warps_of(large)
        };
        Some((fastest(sweep.points.iter().filter(equal))?, large))
    });
    let tested: Vec<(bool, String)> = pairs
        .map(|(small, large)| {
            let figures = format!("{}, {}", timed(small), timed(large));
            (small.against(large) == Verdict::Faster, figures)
        })
        .collect();
    if tested.is_empty() {
        let missing = "no block alone on a multiprocessor can be compared with three or more of about as many warps";
        return Err(missing.to_owned());
    }
    let figures: Vec<String> = tested.iter().map(|(_, figures)| figures.clone()).collect();
    Ok((tested.iter().all(|(held, _)| *held), figures.join("; ")))
}

/// Grids with fewer blocks than multiprocessors against the others.
fn more_blocks(sweep: &Sweep) -> Result<(bool, String), String> {
    let multiprocessors =
        sweep.multiprocessors.ok_or("the number of multiprocessors is not known")?;
    let blocks = |point: &Point| sweep.n.div_ceil(u64::from(point.block.max(1)));
    let missing = [
        "no grid with more blocks than multiprocessors",
        "no grid with fewer blocks than multiprocessors; take a smaller size",
    ];
    let is_good = |point: &Point| blocks(point) > u64::from(multiprocessors);
    groups(sweep, is_good, missing)
}

#[cfg(test)]
mod tests;
