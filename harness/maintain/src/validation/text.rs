//! A validation, to read.

use report::format::{number, significant};
use report::validation::{
    Counter, Ladders, OfLadder, Published, Ratio, Time, Validation, factor, geometric_mean,
};
use show::table::{Field, Table};

/// Columns to which the second column of a table may be wrapped.
const NARROWEST: usize = 10;

/// The table of all ladders, at most `width` columns wide where that can be.
pub fn ladders_text(found: &Ladders, width: usize) -> String {
    let worst = |of: fn(&Ratio) -> String| {
        move |ladder: &OfLadder| ladder.worst().map_or_else(String::new, of)
    };
    let table = Table::all(
        &found.ladders,
        vec![
            Field::text("ladder", |of: &OfLadder| of.ladder.clone()),
            Field::number("ratios", |of: &OfLadder| of.ratios.len().to_string()),
            Field::number("off", |of: &OfLadder| match of.ratios.is_empty() {
                true => "–".to_owned(),
                false => percent(of.mean_factor()),
            }),
            Field::text("most", worst(|ratio| ratio.step.clone())).rank(1),
            Field::number("measured", worst(|ratio| number(Some(ratio.measured)))),
            Field::number("modelled", worst(|ratio| number(Some(ratio.modelled)))),
        ],
    );
    format!(
        "\nSpeed over the parent's, measured on {} and modelled for {}\n\n{}\n\
         Ratios are off by {} (geometric mean).\n",
        found.device,
        found.gpu,
        table.terminal(width),
        percent(found.mean_factor())
    )
}

/// How far a factor is from 1.
fn percent(factor: f64) -> String {
    format!("{:.0} %", 100.0 * (factor - 1.0))
}

/// Its tables, at most `width` columns wide where that can be.
pub fn text(found: &Validation, width: usize) -> String {
    let milliseconds = |seconds: f64| significant(1e3 * seconds);
    let times = Table::all(
        &found.times,
        vec![
            Field::text("step", |time: &Time| time.step.clone()),
            Field::text("binds", |time: &Time| time.binding.clone()).rank(1).wraps(NARROWEST),
            Field::number("n", |time: &Time| time.n.to_string()),
            Field::number("measured ms", |time: &Time| milliseconds(time.measured)),
            Field::number("modelled ms", |time: &Time| milliseconds(time.modelled)),
            Field::number("off", |time: &Time| {
                format!("{:+.0} %", 100.0 * (time.modelled / time.measured - 1.0))
            }),
        ],
    );
    let ratios = Table::all(
        &found.ratios,
        vec![
            Field::text("step", |ratio: &Ratio| ratio.step.clone()),
            Field::text("its parent", |ratio: &Ratio| ratio.parent.clone())
                .rank(1)
                .wraps(NARROWEST),
            Field::number("n", |ratio: &Ratio| ratio.n.to_string()),
            Field::number("measured", |ratio: &Ratio| number(Some(ratio.measured))),
            Field::number("modelled", |ratio: &Ratio| number(Some(ratio.modelled))),
            Field::number("off", |ratio: &Ratio| percent(ratio.factor())),
        ],
    );
    let counters = Table::all(
        &found.counters,
        vec![
            Field::text("step", |counter: &Counter| counter.step.clone()),
            Field::text("counter", |counter: &Counter| counter.counter.clone())
                .rank(1)
                .wraps(NARROWEST),
            Field::number("n", |counter: &Counter| counter.n.to_string()),
            Field::number("chip", |counter: &Counter| format!("{:.0}", counter.chip)),
            Field::number("simulator", |counter: &Counter| format!("{:.0}", counter.simulator)),
            Field::number("off", |counter: &Counter| {
                let off = 100.0 * (counter.simulator / counter.chip - 1.0);
                (counter.chip > 0.0).then(|| format!("{off:+.1} %"))
            }),
        ],
    );
    let off = |ratio: &Published| factor(ratio.modelled, ratio.published);
    let published = Table::all(
        &found.published,
        vec![
            Field::text("step", |ratio: &Published| ratio.step.clone()),
            Field::text("gpu", |ratio: &Published| ratio.gpu.clone()).rank(1).wraps(NARROWEST),
            Field::number("n", |ratio: &Published| ratio.n.to_string()),
            Field::number("published", |ratio: &Published| number(Some(ratio.published))),
            Field::number("modelled", |ratio: &Published| number(Some(ratio.modelled))),
            Field::number("off", |ratio: &Published| percent(off(ratio))),
        ],
    );
    let [times, ratios, counters, published] =
        [times, ratios, counters, published].map(|table| table.terminal(width));
    let worst = found.worst().map_or(String::new(), |worst| {
        format!("; the worst is {} with {}", worst.step, percent(worst.factor()))
    });
    let mean = percent(found.mean_factor());
    let mean_published = percent(geometric_mean(found.published.iter().map(off)));
    let Validation { gpu, device, .. } = found;
    format!(
        "\nTime of a pass, measured on {device} and modelled for {gpu}\n\n{times}\n\
         Speed over the parent's\n\n{ratios}\n\
         Ratios are off by {mean} (geometric mean){worst}.\n\
         \nCounts of the chip's profiler and of the simulator\n\n{counters}\
         \nRatios that the tutorial published\n\n{published}\n\
         They are off by {mean_published} (geometric mean).\n"
    )
}
