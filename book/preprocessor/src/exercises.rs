// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of exercises, from their folders.

use anyhow::Result;
use harness::learn::exercise::Exercise;
use show::table::{Cell, Field, Table};

/// All exercises in their order, each with a link to the page to read before; `up` leads to the book's first folder.
pub fn table(up: &str) -> Result<String> {
    let page = |it: &Exercise| Cell::name(it.read.clone(), Some(format!("{up}{}.md", it.read)));
    let fields = vec![
        Field::text("exercise", |it: &Exercise| it.name.clone()),
        Field::text("part", |it: &Exercise| it.part.clone()),
        Field::text("what", |it: &Exercise| it.kind.name()),
        Field::number("minutes", |it: &Exercise| it.minutes.to_string()),
        Field::text("compiler", |it: &Exercise| if it.needs_compiler() { "" } else { "none" }),
        Field::text("read", page),
    ];
    Ok(Table::all(&Exercise::all()?, fields).markdown())
}
