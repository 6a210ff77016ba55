//! A ladder's steps.

use ladder::{Ladder, Step};
use show::table::{Cell, Field, Table};

/// The steps of a ladder, each with a link to its page, as seen from `<ladder>/index.md`.
pub fn table(ladder: &dyn Ladder) -> String {
    let numbered = |step: &Step| format!("{} {}", ::report::split(step.name).0, step.title);
    let parent = |step: &Step| step.after.and_then(|name| ladder.step(name));
    let fields = vec![
        Field::text("step", |step: &Step| {
            let detour = if step.detour { " (detour)" } else { "" };
            Cell::name(numbered(step), Some(format!("{}.md", step.name))).then(detour)
        }),
        Field::text("what changes", |step: &Step| step.changes),
        Field::text("after", |step: &Step| parent(step).map(|parent| numbered(&parent))),
        Field::text("folder", |step: &Step| format!("`{}`", step.name)),
    ];
    Table::all(&ladder.steps(), fields).markdown()
}
