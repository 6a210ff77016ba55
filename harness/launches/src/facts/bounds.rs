//! The bounds of the time model, with the binding one marked.

use anstyle::AnsiColor;
use report::format;
use show::table::terminal::bold;
use show::table::{Field, Table};

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
    let mut fields = vec![Field::text("bound", |name: &Option<&str>| {
        name.map_or_else(|| bold("modelled time"), str::to_owned)
    })];
    fields.extend(models.iter().map(|(model, title)| {
        Field::number(*title, move |name: &Option<&str>| match name {
            Some(name) => cell(model, name),
            None => format!("{}  ", format::time(Some(model.seconds))),
        })
    }));
    let lines: Vec<Option<&str>> = names.into_iter().map(Some).chain([None]).collect();
    Table::all(&lines, fields).terminal(width)
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
