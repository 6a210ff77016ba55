//! The bounds of the time model, with the binding one marked.

use anstyle::AnsiColor;
use show::table::Table;

use super::facts::ModelFacts;
use super::paint::bold;
use report::format;

/// Marks the bound that binds.
const MARK: &str = "◀";

/// Every bound of one or more launches side by side, each launch under its title, and the time of each. What none of them
/// needs is left out.
pub fn table(models: &[(&ModelFacts, &str)], width: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for bound in models.iter().flat_map(|(model, _)| &model.bounds) {
        if !names.contains(&bound.name.as_str()) {
            names.push(&bound.name);
        }
    }
    names.retain(|name| {
        let of =
            |model: &ModelFacts| model.bounds.iter().any(|b| b.name == *name && b.seconds > 0.0);
        models.iter().any(|(model, _)| of(model))
    });
    let titles = models.iter().map(|(_, title)| (*title).to_owned());
    let mut rows = vec![std::iter::once("bound".to_owned()).chain(titles).collect::<Vec<String>>()];
    for name in names {
        let cells = models.iter().map(|(model, _)| cell(model, name));
        rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    let total = models.iter().map(|(model, _)| format!("{}  ", format::time(Some(model.seconds))));
    rows.push(std::iter::once(bold("modelled time")).chain(total).collect());
    Table::lines(rows, 1).terminal(width)
}

/// A bound's time in one model, marked where it binds.
fn cell(model: &ModelFacts, name: &str) -> String {
    let bound = model.bounds.iter().find(|bound| bound.name == name);
    let time = match bound.map(|bound| bound.seconds) {
        Some(seconds) if seconds > 0.0 => format::time(Some(seconds)),
        _ => format::time(None),
    };
    let yellow = AnsiColor::Yellow.on_default().bold();
    match model.binding.as_deref() == Some(name) {
        true => format!("{yellow}{time} {MARK}{yellow:#}"),
        false => format!("{time}  "),
    }
}
