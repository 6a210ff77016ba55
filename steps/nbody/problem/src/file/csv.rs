//! Bodies as comma-separated values: a header, then a line a body.

use std::io::{self, Write};

use csv::{ReaderBuilder, StringRecord, Trim};

use super::Bodies;

/// The columns, by name.
const HEADER: [&str; 7] = ["mass", "x", "y", "z", "vx", "vy", "vz"];

/// Reads the text of a CSV file.
///
/// # Errors
/// Line and column of the first problem, and its remedy.
pub(super) fn parse(content: &[u8]) -> Result<Bodies, String> {
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(format!("the file is empty; its first line must be {}", HEADER.join(",")));
    }
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(content);
    let mut bodies = Bodies::default();
    let mut record = StringRecord::new();
    let mut is_header = true;
    while reader.read_record(&mut record).map_err(|error| not_text(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        if is_header {
            check_header(&record)?;
            is_header = false;
            continue;
        }
        let [mass, x, y, z, vx, vy, vz] = numbers(&record, line)?;
        if mass < 0.0 {
            return Err(format!("line {line}, column 1 (mass): {mass} is negative"));
        }
        bodies.push(mass, [x, y, z], [vx, vy, vz]);
    }
    if bodies.is_empty() {
        return Err("there is no body after the header; add a line for each".to_owned());
    }
    Ok(bodies)
}

fn check_header(record: &StringRecord) -> Result<(), String> {
    let found: Vec<&str> = record.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
    if found == HEADER {
        return Ok(());
    }
    let column = HEADER.iter().zip(&found).position(|(a, b)| a != b);
    let column = column.unwrap_or(HEADER.len().min(found.len())) + 1;
    Err(format!(
        "line 1, column {column}: the header is `{}`; it must be `{}`",
        shorten(&found.join(",")),
        HEADER.join(",")
    ))
}

/// The seven numbers of a line.
fn numbers(record: &StringRecord, line: u64) -> Result<[f32; 7], String> {
    if record.len() != HEADER.len() {
        let at = record.len().min(HEADER.len()) + 1;
        return Err(format!(
            "line {line}, column {at}: there are {} values where {} are needed ({})",
            record.len(),
            HEADER.len(),
            HEADER.join(",")
        ));
    }
    let mut numbers = [0.0; 7];
    for (column, (number, text)) in numbers.iter_mut().zip(record).enumerate() {
        let problem = match text.parse::<f32>() {
            Ok(value) if value.is_finite() => {
                *number = value;
                continue;
            }
            Ok(_) => "is not finite as a 32-bit number",
            Err(_) => "is not a number",
        };
        let (text, name) = (shorten(text), HEADER[column]);
        return Err(format!(
            "line {line}, column {} ({name}): `{text}` {problem}; write it like 1.5 or -2e-3",
            column + 1
        ));
    }
    Ok(numbers)
}

/// What the reader could not take for text.
fn not_text(error: &csv::Error) -> String {
    let line = error.position().map_or(0, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => {
            format!("line {line}, column {}: not UTF-8 text; save it as UTF-8", err.field() + 1)
        }
        _ => format!("line {line}: {error}"),
    }
}

/// Text short enough for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Writes bodies as CSV; the shortest digits that give the same f32 again.
pub(super) fn write(out: &mut dyn Write, bodies: &Bodies) -> io::Result<()> {
    writeln!(out, "{}", HEADER.join(","))?;
    for i in 0..bodies.len() {
        let [x, y, z] = bodies.position_of(i);
        let [vx, vy, vz] = bodies.velocity_of(i);
        writeln!(out, "{:?},{x:?},{y:?},{z:?},{vx:?},{vy:?},{vz:?}", bodies.mass[i])?;
    }
    Ok(())
}
