//! What a launch did, to read: source lines with their counts, a summary, hazards.

use std::path::Path;

use report::format;
use show::table::terminal::{bold, wrap};
use show::table::{Field, Table};
use simt::Counts;
use ui::output::{dim, hazard, section};

use super::results::Outcome;
use super::results_text;
use crate::facts::ratios::Ratios;
use crate::facts::{Facts, LaunchFacts, LineFacts, bounds, resident};
use crate::format::{count, percent, ratio, shape};

/// Where the source's text stands in the table of lines.
const TEXT: usize = 1;

/// The source's text is cut to what is left of the terminal, and stands on lines of its own where that is less.
const NARROWEST: usize = 20;

/// A column of the table of lines.
struct Column {
    head: &'static str,
    /// Whether it says something of these counts.
    says: fn(&Counts) -> bool,
    cell: fn(&Counts, &Ratios) -> String,
}

/// Every column that a kernel may need, in order.
const COLUMNS: &[Column] = &[
    column("instruc-\ntions", |_| true, |counts, _| count(counts.warps)),
    column("lanes\n%", |c| c.threads < 32 * c.warps, |_, r| percent(r.active_lanes_percent)),
    column("diver-\ngent", |c| c.divergent > 0, |c, _| blank(c.divergent)),
    column("global\nrequests", |c| c.global_requests > 0, |c, _| blank(c.global_requests)),
    column("sectors\neach", |c| c.global_requests > 0, |_, r| ratio(r.sectors_per_request)),
    column("bytes\nused %", |c| c.global_requests > 0, |_, r| percent(r.bytes_used_percent)),
    column("texture\nrequests", |c| c.texture_requests > 0, |c, _| blank(c.texture_requests)),
    column(
        "sectors\neach",
        |c| c.texture_requests > 0,
        |_, r| ratio(r.sectors_per_texture_request),
    ),
    column("L1\nhits %", |c| c.l1_hits > 0, |_, r| percent(r.l1_hit_percent)),
    column("local\nrequests", |c| c.local_requests > 0, |c, _| blank(c.local_requests)),
    column("shared\nrequests", |c| c.shared_requests > 0, |c, _| blank(c.shared_requests)),
    column("passes\neach", |c| c.shared_requests > 0, |_, r| ratio(r.wavefronts_per_request)),
    column(
        "constant\npasses",
        |c| c.constant_wavefronts > c.constant_requests,
        |_, r| ratio(r.constant_wavefronts_per_request),
    ),
    column("atomics", |c| c.atomics > 0, |c, _| blank(c.atomics)),
    column("at one\naddress", |c| c.atomics > 0, |c, _| blank(c.atomic_same_address)),
    column("bar-\nriers", |c| c.barriers > 0, |c, _| blank(c.barriers)),
];

const fn column(
    head: &'static str,
    says: fn(&Counts) -> bool,
    cell: fn(&Counts, &Ratios) -> String,
) -> Column {
    Column { head, says, cell }
}

fn blank(events: u64) -> String {
    if events == 0 { String::new() } else { count(events) }
}

/// Everything about a run, in lines of at most `width` columns where that can be.
pub fn text(outcome: &Outcome, width: usize) -> String {
    let facts = &outcome.facts;
    let mut text = match &facts.launches[..] {
        [] => format!(
            "{}: grid {}, block {}, {} bytes of shared memory; {}\n\n",
            bold(&facts.kernel),
            shape(facts.grid),
            shape(facts.block),
            facts.shared_bytes,
            facts.code
        ),
        launches => {
            let count = bold(&format!("{} launches", launches.len()));
            format!("{count}; {}\n\n{}\n", facts.code, table_of_launches(launches, width))
        }
    };
    text += &lines(&facts.lines, width);
    text += &printed(facts);
    text += &section("Summary");
    text += &summary(facts, width);
    text += &section(&format!("Time modelled for {}", facts.model.gpu));
    text += &bounds::table(&[(&facts.model, "")], width);
    text += &results_text::text(outcome, width);
    if !facts.hazards.is_empty() {
        text += &section("Hazards");
        text.extend(facts.hazards.iter().map(|message| hazard(message, width)));
    }
    text
}

/// What the kernels printed, as it is.
fn printed(facts: &Facts) -> String {
    let mut text = String::new();
    if !facts.printed.is_empty() {
        let end = if facts.printed.ends_with('\n') { "" } else { "\n" };
        text += &format!("{}{}{end}", section("Printed"), facts.printed);
    }
    match facts.printed_cut {
        0 => {}
        cut => text += &dim(&format!("({} calls of printf more are left out)\n", count(cut))),
    }
    text
}

/// Several launches, one a line.
fn table_of_launches(launches: &[LaunchFacts], width: usize) -> String {
    type Row<'l> = (usize, &'l LaunchFacts);
    let numbered: Vec<Row> = (1..).zip(launches).collect();
    let fields = vec![
        Field::number("launch", |(number, _): &Row| number.to_string()),
        Field::text("kernel", |(_, launch): &Row| launch.kernel.clone()),
        Field::text("grid", |(_, launch): &Row| shape(launch.grid)),
        Field::text("block", |(_, launch): &Row| shape(launch.block)),
        Field::number("instructions", |(_, launch): &Row| {
            count(launch.machine_instructions.round() as u64)
        }),
        Field::number("modelled time", |(_, launch): &Row| format::time(Some(launch.seconds))),
        Field::text("bound", |(_, launch): &Row| launch.binding.unwrap_or_default()),
    ];
    Table::all(&numbered, fields).terminal(width)
}

/// The table of lines, each file under its own head.
fn lines(lines: &[LineFacts], width: usize) -> String {
    let mut text = String::new();
    let mut files: Vec<&str> = lines.iter().map(|line| line.file.as_str()).collect();
    files.dedup();
    for file in files {
        let of_file: Vec<&LineFacts> = lines.iter().filter(|line| line.file == file).collect();
        // A name that is no file's here is the compiler's alone.
        let name = if Path::new(file).exists() { file } else { file.trim_start_matches('/') };
        text += &format!("{}\n{}\n", bold(name), table(&of_file, width));
    }
    text
}

fn table(lines: &[&LineFacts], width: usize) -> String {
    let says = |column: &&Column| lines.iter().any(|line| (column.says)(&line.counts));
    let columns: Vec<&Column> = COLUMNS.iter().filter(says).collect();
    let mut rows = vec![vec!["line".to_owned(), String::new()]];
    rows[0].extend(columns.iter().map(|column| column.head.to_owned()));
    rows.extend(lines.iter().map(|line| {
        let ratios = Ratios::of(&line.counts);
        let mut row = vec![line.line.to_string(), String::new()];
        row.extend(columns.iter().map(|column| (column.cell)(&line.counts, &ratios)));
        row
    }));
    // The source has what the counts leave.
    let room = Table::lines(rows.clone(), TEXT + 1).room(TEXT, width);
    let source = |line: &LineFacts, room| cut(line.text.as_deref().unwrap_or_default(), room);
    if room >= NARROWEST {
        for (row, line) in rows.iter_mut().skip(1).zip(lines) {
            row[TEXT] = source(line, room);
        }
        return Table::lines(rows, TEXT + 1).terminal(width);
    }
    // Too narrow: each line's text stands above its counts.
    rows.iter_mut().for_each(|row| drop(row.remove(TEXT)));
    let table = Table::lines(rows, 0).terminal(width);
    let head = table.lines().count().saturating_sub(lines.len());
    let mut text = String::new();
    for (place, counts) in table.lines().enumerate() {
        if let Some(line) = place.checked_sub(head).and_then(|place| lines.get(place)) {
            text += &format!("{}\n", dim(&source(line, width)));
        }
        text += &format!("{counts}\n");
    }
    text
}

/// A line of source in at most `room` columns, its indentation made narrow; what was cut off shows as an ellipsis.
fn cut(text: &str, room: usize) -> String {
    let text = text.replace('\t', "    ");
    let code = text.trim();
    let depth = (text.len() - text.trim_start().len()) / 4;
    let text = format!("{}{code}", " ".repeat(depth));
    if text.chars().count() <= room {
        return text;
    }
    text.chars().take(room - 1).chain(['…']).collect()
}

/// Totals in words.
fn summary(facts: &Facts, width: usize) -> String {
    let (c, r) = (&facts.total, &facts.ratios);
    let classes = facts.classes.iter().map(|it| format!("{} {}", it.class, count(it.warps)));
    let mut rows = vec![
        (
            "instructions",
            format!(
                "{} by warps, {} by threads: {} % of lanes active",
                count(c.warps),
                count(c.threads),
                percent(r.active_lanes_percent)
            ),
        ),
        ("by kind", classes.collect::<Vec<_>>().join(" · ")),
        ("machine code", resident::machine(facts)),
        ("resident", resident::sentence(facts)),
    ];
    if let Some(place) = &facts.in_order {
        let words =
            "one sees what another does, so they took turns, in the same order in every run";
        rows.push(("blocks", format!("{words} ({place})")));
    }
    if let Some(unfreed) = &facts.unfreed {
        rows.push(("device's heap", unfreed.clone()));
    }
    let mut row = |events: u64, label, words: String| {
        if events > 0 {
            rows.push((label, words));
        }
    };
    let (branches, divergent) = (count(c.branches), count(c.divergent));
    row(c.branches, "branches", format!("{branches}, {divergent} divergent"));
    row(
        c.global_requests,
        "global memory",
        format!(
            "{} requests for {} bytes touch {} sectors of 32: {} a request, {} % of their bytes used",
            count(c.global_requests),
            count(c.global_bytes),
            count(c.global_sectors),
            ratio(r.sectors_per_request),
            percent(r.bytes_used_percent)
        ),
    );
    row(
        c.texture_requests,
        "textures",
        format!(
            "{} requests touch {} sectors of 32 bytes: {} a request",
            count(c.texture_requests),
            count(c.texture_sectors),
            ratio(r.sectors_per_texture_request)
        ),
    );
    let l2 = r.l2_hit_percent.map_or_else(String::new, |_| {
        let (l2, sectors) = (percent(r.l2_hit_percent), count(c.dram_sectors));
        format!("; of the rest L2 has {l2} %, memory {sectors} sectors")
    });
    let l1 = percent(r.l1_hit_percent);
    row(
        c.global_requests + c.texture_requests,
        "caches",
        format!("L1 has {l1} % of the sectors{l2}"),
    );
    let (requests, sectors) = (count(c.local_requests), count(c.local_sectors));
    let words = format!("{requests} requests, {sectors} sectors of 32 bytes");
    row(c.local_requests, "local memory", words);
    let (requests, passes) = (count(c.shared_requests), count(c.shared_wavefronts));
    let conflicts = count(c.shared_wavefronts.saturating_sub(c.shared_requests));
    let words = format!(
        "{requests} requests take {passes} passes over the banks, {conflicts} of them by conflicts"
    );
    row(c.shared_requests, "shared memory", words);
    let (requests, passes) = (count(c.constant_requests), count(c.constant_wavefronts));
    let words = format!("{requests} requests take {passes} passes");
    row(c.constant_requests, "constant memory", words);
    let (warps, threads) = (count(c.atomics), count(c.atomic_lanes));
    let serial = count(c.atomic_same_address);
    let words = format!(
        "{warps} by warps, {threads} by threads; {serial} one after another at one address"
    );
    row(c.atomics, "atomics", words);
    row(c.barriers, "barriers", format!("{} reached by warps", count(c.barriers)));
    labelled(&rows, width)
}

/// Labels with their text next to them, wrapped.
fn labelled(rows: &[(&str, String)], width: usize) -> String {
    let label = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, words) in rows {
        let broken = wrap(words, width.saturating_sub(label + 2).max(20));
        for (number, line) in broken.lines().enumerate() {
            let name = if number == 0 { name } else { "" };
            text += &format!("{name:label$}  {line}\n");
        }
    }
    text
}
