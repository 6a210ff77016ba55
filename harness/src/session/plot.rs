//! The picture of the ladder in the terminal itself, where the terminal can show pictures.

use std::env;
use std::io::{self, IsTerminal, Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::{render, usvg};

/// Words in `TERM` and `TERM_PROGRAM` of terminals that show pictures, and how they want them.
const WITH_PICTURES: [(&str, Protocol); 5] = [
    ("ghostty", Protocol::Kitty),
    ("iterm", Protocol::Iterm),
    ("kitty", Protocol::Kitty),
    ("konsole", Protocol::Kitty),
    ("wezterm", Protocol::Iterm),
];

/// How a picture is sent.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Protocol {
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/>
    Kitty,
    /// <https://iterm2.com/documentation-images.html>
    Iterm,
}

/// Bytes of a part of a picture in kitty's protocol, at most.
const PART: usize = 4096;

/// Columns of a picture, at most.
const COLUMNS: usize = 100;

/// Pixels of a picture's width.
const WIDTH: f32 = 1600.0;

/// Sans-serif families of common systems, in the order in which they are looked for.
const FAMILIES: [&str; 5] = ["Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans"];

/// Shows an SVG picture in a terminal of so many columns; nothing where this is no terminal that shows pictures.
///
/// # Errors
/// The file cannot be read as SVG, or the terminal does not take the picture.
pub fn show(file: &Path, columns: usize) -> Result<()> {
    let names = ["TERM_PROGRAM", "TERM"].map(|name| env::var(name).unwrap_or_default());
    let Some(protocol) = names.iter().find_map(|name| protocol(name)) else { return Ok(()) };
    if !stdout().is_terminal() {
        return Ok(());
    }
    let png = drawn(&std::fs::read(file)?)
        .and_then(|pixels| Ok(pixels.encode_png()?))
        .with_context(|| file.display().to_string())?;
    send(&mut stdout().lock(), protocol, &png, columns.min(COLUMNS))
        .context("cannot show the picture")
}

fn protocol(terminal: &str) -> Option<Protocol> {
    let terminal = terminal.to_lowercase();
    WITH_PICTURES
        .into_iter()
        .find(|(name, _)| terminal.contains(name))
        .map(|(_, protocol)| protocol)
}

/// Writes a PNG as a terminal's protocol has it.
fn send(to: &mut dyn Write, protocol: Protocol, png: &[u8], columns: usize) -> io::Result<()> {
    let text = STANDARD.encode(png);
    match protocol {
        Protocol::Iterm => write!(to, "\x1b]1337;File=inline=1;width={columns}:{text}\x07")?,
        Protocol::Kitty => {
            let parts = text.as_bytes().chunks(PART);
            let last = parts.len() - 1;
            for (place, part) in parts.enumerate() {
                let first =
                    if place == 0 { format!("a=T,f=100,c={columns},") } else { String::new() };
                write!(to, "\x1b_G{first}m={};", u8::from(place < last))?;
                to.write_all(part)?;
                to.write_all(b"\x1b\\")?;
            }
        }
    }
    writeln!(to)?;
    to.flush()
}

/// An SVG picture in pixels.
fn drawn(svg: &[u8]) -> Result<Pixmap> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    if let Some(family) = FAMILIES.into_iter().find(|family| has(fonts, family)) {
        fonts.set_sans_serif_family(family);
    }
    let tree = usvg::Tree::from_data(svg, &options)?;
    let scale = WIDTH / tree.size().width();
    let height = (tree.size().height() * scale).ceil() as u32;
    let mut pixels = Pixmap::new(WIDTH as u32, height).context("the picture has no size")?;
    pixels.fill(Color::WHITE);
    render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}

fn has(fonts: &Database, family: &str) -> bool {
    let query = Query { families: &[Family::Name(family)], ..Query::default() };
    fonts.query(&query).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_that_show_pictures_are_known_by_their_names() {
        for (name, expected) in [
            ("xterm-kitty", Some(Protocol::Kitty)),
            ("iTerm.app", Some(Protocol::Iterm)),
            ("WezTerm", Some(Protocol::Iterm)),
            ("xterm-256color", None),
            ("Apple_Terminal", None),
            ("", None),
        ] {
            assert_eq!(protocol(name), expected, "{name}");
        }
    }

    #[test]
    fn a_picture_is_sent_in_parts_that_join_to_it() {
        let png: Vec<u8> = (0..10_000).map(|byte| byte as u8).collect();
        let mut sent = Vec::new();
        send(&mut sent, Protocol::Kitty, &png, 80).expect("sent");
        let text = String::from_utf8(sent).expect("text");
        let parts = text.trim_end().split_terminator("\x1b\\");
        let data = parts.map(|part| part.split_once(';').expect("its data").1).collect::<String>();
        assert_eq!(STANDARD.decode(data).expect("base64"), png);
        assert!(text.starts_with("\x1b_Ga=T,f=100,c=80,m=1;") && text.contains("\x1b_Gm=0;"));
    }

    #[test]
    fn the_committed_ladder_is_drawn() {
        let file = ladder::workspace::root().expect("a clone").join("reports/h200/ladder.svg");
        let pixels = drawn(&std::fs::read(file).expect("a picture")).expect("drawn");
        let blues = pixels.pixels().iter().filter(|it| it.blue() > 150 && it.red() < 50).count();
        assert!(pixels.height() > 1000 && blues > 1000, "{blues} blue pixels");
    }
}
