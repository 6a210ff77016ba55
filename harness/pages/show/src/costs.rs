//! What a first pass costs with all that it needs.

use report::format;
use report::{EndToEnd, Report, Row};

use crate::table::{Cell, Field, Table};
use crate::{steps, words};

type Cost<'r> = (&'r Row, EndToEnd);

/// From the step's source to the results on the host, a step each.
pub fn table(report: &Report, is_page: bool) -> Table {
    let costs: Vec<Cost> =
        report.verified().filter_map(|row| Some((row, row.end_to_end?))).collect();
    let time =
        |seconds: fn(&EndToEnd) -> f64| move |(_, cost): &Cost| format::time(Some(seconds(cost)));
    let copy = |bytes: u64, bandwidth: f64| {
        let rate = bandwidth.is_finite().then(|| format!(", {}/s", format::bytes(bandwidth)));
        format!("{}{}", format::bytes(bytes as f64), rate.unwrap_or_default())
    };
    let name = |(row, _): &Cost| match is_page {
        true => steps::named(row, None),
        false => steps::variant(row, None),
    };
    let pass = words::figure(report).map_or("pass", |figure| &figure.pass);
    let mut fields = vec![
        Field::text("step", name),
        Field::number("n", |(row, _): &Cost| format::count(row.n())),
        Field::number("code", time(|cost| cost.code_seconds)),
        Field::number("allocate", time(|cost| cost.allocate_seconds)),
        Field::number("upload", |(_, cost): &Cost| {
            let time = Cell::from(format::time(Some(cost.upload_seconds)));
            time.detail(copy(cost.upload_bytes, cost.bandwidth().0))
        }),
        Field::number(format!("first {pass}"), time(|cost| cost.pass_seconds)),
        Field::number("download", |(_, cost): &Cost| {
            let time = Cell::from(format::time(Some(cost.download_seconds)));
            time.detail(copy(cost.download_bytes, cost.bandwidth().1))
        }),
        Field::number("end to end", time(EndToEnd::seconds)),
    ];
    if !is_page {
        let bandwidth = |rate: f64| format::number(Some(rate / 1e9).filter(|it| it.is_finite()));
        fields.extend([
            Field::number("GB/s up", move |(_, cost): &Cost| bandwidth(cost.bandwidth().0)),
            Field::number("GB/s down", move |(_, cost): &Cost| bandwidth(cost.bandwidth().1)),
        ]);
    }
    let caption = "By the host's clock, from the step's source to its results on the host: \
                   compiling or reading the code and loading it, allocating, copying the inputs to \
                   the device, one pass, copying back. Below each copy: its size and bandwidth.";
    Table::of(&costs, fields).named("End to end", caption)
}
