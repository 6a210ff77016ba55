//! Draws what the end of a climb loses without each of its ideas, next to what a document published of that:
//! `reports/published/<ladder>.csv` names the step, or its variant, that lacks an idea, as reports do.

use std::path::Path;

use ::report::published::{Line, Published};
use ::report::{Report, format};
use anyhow::{Context, Result, ensure};
use pictures::Idea;
use show::table::Table;

use crate::report;

/// An idea at each size: what was published, and how many times as long it took here, where that was measured.
struct Row<'a> {
    lines: &'a [Line],
    measured: Vec<Option<f64>>,
}

/// A picture of the size at which most was measured, and a table: for each idea the slow-down that was published, and the one
/// that the reports of `machines` have, at each size. What was not measured yet is said.
pub fn markdown(root: &Path, ladder: &str, machines: &[&str], sources: &str) -> Result<String> {
    let file = format!("reports/published/{ladder}.csv");
    let published = Published::read(&root.join(&file))?;
    let first = published.lines.first().with_context(|| format!("{file} is empty"))?;
    let is_there = |machine: &str| root.join("reports").join(machine).join("report.json").is_file();
    let (there, missing): (Vec<&str>, Vec<&str>) = machines.iter().partition(|it| is_there(it));
    let reports =
        there.iter().map(|machine| report::read(root, machine)).collect::<Result<Vec<_>>>()?;
    let ideas = published.lines.chunk_by(|a, b| a.against == b.against);
    let measured = |line: &Line| reports.iter().find_map(|report| slower(report, line));
    let ideas: Vec<Row> =
        ideas.map(|lines| Row { lines, measured: lines.iter().map(measured).collect() }).collect();
    let sizes = ideas[0].lines.len();
    let other = ideas.iter().find(|it| it.lines.len() != sizes);
    ensure!(
        other.is_none(),
        "{file}: {} has other sizes",
        other.map_or("", |it| &it.lines[0].against)
    );
    let figure = reports.first().map(|report| picture(report, &ideas, sizes)).unwrap_or_default();
    let gpu = reports.iter().find_map(|it| it.rows.iter().find_map(|row| row.device.clone()));
    let table = table(&ideas, gpu.as_deref().unwrap_or("here"));
    let name = published.source.split(',').next().unwrap_or_default();
    let name = name.rsplit(' ').next().unwrap_or_default();
    let (slide, anchor) = (first.slide, name.to_lowercase());
    let mut out = format!(
        "{figure}{table}\nSource of the first: [{name}, slide {slide}]({sources}#{anchor}).\n"
    );
    for machine in missing {
        out.push_str(&format!(
            "\n**NOT MEASURED** yet: there is no `reports/{machine}/report.json`.\n"
        ));
    }
    Ok(out)
}

fn picture(report: &Report, ideas: &[Row], sizes: usize) -> String {
    let count = |size: &usize| ideas.iter().filter(|it| it.measured[*size].is_some()).count();
    let size = (0..sizes).max_by_key(count).unwrap_or_default();
    let idea = |it: &Row| {
        let line = &it.lines[size];
        let published = line.ratio.parse().ok()?;
        Some(Idea { name: line.against.clone(), published, measured: it.measured[size] })
    };
    let pictured: Vec<Idea> = ideas.iter().filter_map(idea).collect();
    let first = &ideas[0].lines[size];
    let picture = pictures::ablation(report, first.n.unwrap_or_default(), &first.gpu, &pictured);
    report::figure(&picture) + "\n\n"
}

fn table(ideas: &[Row], gpu: &str) -> String {
    let at = |name: &str| {
        let n = |line: &Line| line.n.map_or(String::new(), format::grouped);
        ideas[0].lines.iter().map(|line| format!("{name}, {}", n(line))).collect::<Vec<String>>()
    };
    let mut rows = vec![[vec!["without".to_owned()], at(&ideas[0].lines[0].gpu), at(gpu)].concat()];
    for Row { lines, measured } in ideas {
        let idea = vec![lines[0].against.clone()];
        let slides = lines.iter().map(|line| line.ratio.clone()).collect();
        let own =
            measured.iter().map(|it| it.map_or("–".to_owned(), |times| format!("{times:.2}")));
        rows.push([idea, slides, own.collect()].concat());
    }
    Table::lines(rows, 1).markdown()
}

/// How many times as long as with the idea it takes without: with it, a variant leaves nothing out, or it is the parent.
fn slower(report: &Report, line: &Line) -> Option<f64> {
    let rows = || report.rows.iter().filter(|row| row.outcome.is_verified());
    let without =
        rows().find(|row| format!("{}{}", row.step, row.variant().suffix()) == line.step)?;
    let is_base = |row: &&::report::Row| match without.defines.is_empty() {
        true => Some(&row.step) == without.after.as_ref(),
        false => row.step == without.step && row.defines.iter().all(|define| define.value == 0),
    };
    let seconds = |row: &::report::Row| {
        row.timed.iter().find(|timed| Some(timed.n) == line.n).map(|timed| timed.seconds)
    };
    Some(seconds(without)? / seconds(rows().find(is_base)?)?)
}
