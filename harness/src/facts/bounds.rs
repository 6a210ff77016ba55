//! The bounds of the time model, with the binding one marked.

use std::iter::once;

use anstyle::AnsiColor;
use report::format;
use show::table::Table;
use show::table::terminal::bold;

use super::ModelFacts;

/// Marks the bound that binds.
const MARK: &str = "◀";

/// Every bound of one or more launches side by side, each launch under its title, and the time of each. What none of them
/// needs is left out.
pub fn table(models: &[(&ModelFacts, &str)], width: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in models.iter().flat_map(|(model, _)| &model.bounds).map(|bound| bound.name) {
        if !names.contains(&name) && models.iter().any(|(model, _)| model.bound(name) > 0.0) {
            names.push(name);
        }
    }
    let line = |head: String, cell: &dyn Fn(&ModelFacts) -> String| -> Vec<String> {
        once(head).chain(models.iter().map(|(model, _)| cell(model))).collect()
    };
    let titles = models.iter().map(|(_, title)| (*title).to_owned());
    let mut lines = vec![once("bound".to_owned()).chain(titles).collect()];
    lines.extend(names.iter().map(|name| line((*name).to_owned(), &|model| cell(model, name))));
    lines.push(line(bold("modelled time"), &|model| {
        format!("{}  ", format::time(Some(model.seconds)))
    }));
    Table::lines(lines, 1).terminal(width)
}

/// A bound's time in one model, marked where it binds.
fn cell(model: &ModelFacts, name: &str) -> String {
    let time = format::time(Some(model.bound(name)).filter(|seconds| *seconds > 0.0));
    let yellow = AnsiColor::Yellow.on_default().bold();
    match model.binding == Some(name) {
        true => format!("{yellow}{time} {MARK}{yellow:#}"),
        false => format!("{time}  "),
    }
}
