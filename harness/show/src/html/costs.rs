//! What a first force evaluation costs with all that it needs.

use report::{EndToEnd, Report};
use maud::{Markup, html};

use super::figures::{self, NONE};
use super::steps::name;
use super::table::{number, scrolled};
use crate::table::figures as plain;

/// Whether any row has it.
pub fn has_any(report: &Report) -> bool {
    report.rows.iter().any(|row| row.outcome.is_verified() && row.end_to_end.is_some())
}

/// From the source to the results on the host.
pub fn table(report: &Report) -> Markup {
    let heads =
        ["step", "code", "allocate", "upload", "first force evaluation", "download", "end to end"];
    let caption = "By the host's clock, from the step's source to its results on the host: compiling or reading the code and \
                   loading it, allocating, copying there, one force evaluation, copying back. Below each copy: its \
                   size and the bandwidth that was seen.";
    let rows = report.rows.iter().filter(|row| row.outcome.is_verified());
    let lines = html! {
        tbody {
            @for row in rows {
                @if let Some(cost) = &row.end_to_end {
                    @let (up, down) = cost.bandwidth();
                    tr.detour[row.detour] {
                        (name(row, None))
                        (time(cost.code_seconds))
                        (time(cost.allocate_seconds))
                        (copy(cost.upload_seconds, cost.upload_bytes, up))
                        (time(cost.force_seconds))
                        (copy(cost.download_seconds, cost.download_bytes, down))
                        (time(EndToEnd::seconds(cost)))
                    }
                }
            }
        }
    };
    scrolled("End to end", caption, &heads, lines)
}

fn time(seconds: f64) -> Markup {
    number(Some(plain::time(Some(seconds))))
}

fn copy(seconds: f64, bytes: u64, bandwidth: f64) -> Markup {
    let rate = if bandwidth.is_finite() { figures::bytes(bandwidth) } else { NONE.to_owned() };
    html! {
        td {
            (plain::time(Some(seconds)))
            small { (figures::bytes(bytes as f64)) ", " (rate) "/s" }
        }
    }
}
