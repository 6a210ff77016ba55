//! Parts of a page in which the simulator runs: their HTML, and the simulator as WebAssembly next to the pages.
//!
//! A page without JavaScript shows a table of the same answers, made while the book is built.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use interactive::{Knob, Part};

use crate::html::escape;
use crate::wasm::Wasm;

/// Where the scripts of the parts are, below `book/` and below the built book.
const FOLDER: &str = "interactive/page";

/// The simulator for pages.
const SIMULATOR: Wasm = Wasm {
    package: "interactive",
    target: "wasm32-unknown-unknown",
    kind: &["--lib", "--crate-type", "cdylib"],
    profile: "page",
};

/// The most bytes of the script that holds the simulator.
const MOST_BYTES: usize = 5 << 19;

/// The part `name` as HTML. Markdown ends it at an empty line, so there is none.
pub fn html(name: &str) -> Result<String> {
    let part = interactive::part(name)?;
    let mut out = format!(
        "<div class=\"interactive\" role=\"group\" data-part=\"{name}\" data-kind=\"{}\" aria-label=\"{}\">\n\
         <p class=\"title\">{}</p>\n<p>{}</p>\n<form hidden onsubmit=\"return false\">\n",
        part.kind.name(),
        escape(part.title),
        escape(part.title),
        escape(part.text)
    );
    for knob in part.knobs {
        select(&mut out, knob);
    }
    out += "</form>\n<div class=\"drawn\" hidden aria-live=\"polite\">…</div>\n";
    out += &match part.table {
        Some(over) => table(part, over)?,
        None => "<noscript><p>This part runs the simulator in the page, and needs JavaScript for that.</p></noscript>\n".to_owned(),
    };
    Ok(out + "</div>")
}

fn select(out: &mut String, knob: &Knob) {
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<label>{} <select name=\"{}\" autocomplete=\"off\">",
        escape(knob.label),
        knob.name
    );
    for choice in knob.choices {
        let chosen = if *choice == knob.start { " selected" } else { "" };
        let _ = write!(out, "<option{chosen}>{}</option>", escape(choice));
    }
    *out += "</select></label>\n";
}

/// The answers for each choice of one knob, the others at their start.
fn table(part: &Part, over: &str) -> Result<String> {
    let knob = part.knobs.iter().find(|knob| knob.name == over);
    let knob = knob.with_context(|| format!("{}: there is no knob `{over}`", part.name))?;
    let fixed: Vec<String> = (part.knobs.iter().filter(|other| other.name != over))
        .map(|other| format!("{} {}", other.label, other.start))
        .collect();
    let mut rows = String::new();
    let mut heads = String::new();
    for choice in knob.choices {
        let mut values = part.start();
        values.0.insert(over.to_owned(), (*choice).to_owned());
        let answer = part.answer(&values);
        let answer = answer.with_context(|| format!("{} at {choice}", part.name))?;
        if heads.is_empty() {
            let names = answer.facts.iter().map(|fact| format!("<th>{}</th>", escape(fact.name)));
            heads = names.collect();
        }
        let cells = answer.facts.iter().map(|fact| format!("<td>{}</td>", escape(&fact.value)));
        let _ = writeln!(rows, "<tr><td>{}</td>{}</tr>", escape(choice), cells.collect::<String>());
    }
    let fixed = if fixed.is_empty() { String::new() } else { format!(", at {}", fixed.join(", ")) };
    Ok(format!(
        "<details open><summary>All choices of {}{}</summary>\n<div class=\"table-wrapper\"><table>\
         <thead><tr><th>{}</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div></details>\n",
        escape(knob.label),
        escape(&fixed),
        escape(knob.label)
    ))
}

/// Builds the simulator for pages and puts it next to them, below `book`. Where this machine has no compiler for it the
/// parts keep their tables; then what to do about it is said.
pub fn write(root: &Path, book: &Path) -> Result<Option<String>> {
    let folder = book.join(FOLDER);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join("wasm.js");
    let (text, note) = match SIMULATOR.build(root)? {
        Some(wasm) => (script(&std::fs::read(wasm)?)?, None),
        None => {
            let text = format!(
                "// The simulator was not built into this book.\nladder.missing = \"{}\";\n",
                SIMULATOR.remedy()
            );
            let missing = SIMULATOR.missing();
            (text, Some(format!("the interactive parts show tables only: {missing}")))
        }
    };
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(note)
}

/// WebAssembly as a script: pages read from disk may load scripts, and no other files.
fn script(wasm: &[u8]) -> Result<String> {
    let text = format!("ladder.wasm = \"{}\";\n", base64(wasm));
    ensure!(
        text.len() <= MOST_BYTES,
        "the simulator has {} bytes as a script, and a page may load {MOST_BYTES}",
        text.len()
    );
    Ok(text)
}

/// Base64 of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let word = part.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let word = word << (8 * (3 - part.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= part.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn every_part_is_drawn_in_one_block() {
        for part in interactive::PARTS {
            let html = html(part.name).expect(part.name);
            assert!(!html.contains("\n\n"), "{}: Markdown would end the block", part.name);
            let rows = part.table.map_or(0, |over| {
                part.knobs.iter().find(|knob| knob.name == over).expect("the knob").choices.len()
            });
            assert_eq!(html.matches("<tr><td>").count(), rows, "{}", part.name);
        }
        assert!(html("none").expect_err("none").to_string().contains("there are: branch"));
    }
}
