//! The picture of the ladder in the terminal itself, where the terminal can show pictures.

use std::env;
use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::{render, usvg};
use viuer::Config;

/// Words in `TERM` and `TERM_PROGRAM` of terminals with a protocol for pictures: kitty's, iTerm2's or sixel. Only these are
/// asked what they can: one that knows nothing of pictures may never answer.
const WITH_PICTURES: [&str; 9] =
    ["contour", "foot", "ghostty", "iterm", "kitty", "konsole", "mlterm", "sixel", "wezterm"];

/// Pixels of a picture's width: more than a terminal of 200 columns shows.
const WIDTH: f32 = 1600.0;

/// Sans-serif families of common systems, in the order in which they are looked for.
const FAMILIES: [&str; 5] = ["Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans"];

/// Shows an SVG picture as large as the terminal; nothing where this is no terminal that shows pictures.
///
/// # Errors
/// The file cannot be read as SVG, or the terminal does not take the picture.
pub fn show(file: &Path) -> Result<()> {
    let is_terminal = stdin().is_terminal() && stdout().is_terminal();
    let names = ["TERM", "TERM_PROGRAM"].map(|name| env::var(name).unwrap_or_default());
    if !is_terminal || !names.iter().any(|name| has_pictures(name)) {
        return Ok(());
    }
    let has_protocol = viuer::get_kitty_support() != viuer::KittySupport::None
        || viuer::is_iterm_supported()
        || viuer::is_sixel_supported();
    if !has_protocol {
        return Ok(());
    }
    let pixels = drawn(&std::fs::read(file)?).with_context(|| file.display().to_string())?;
    let (width, height) = (pixels.width(), pixels.height());
    let picture = image::RgbaImage::from_raw(width, height, pixels.take()).context("no picture")?;
    let below_the_cursor = Config { absolute_offset: false, ..Config::default() };
    viuer::print(&picture.into(), &below_the_cursor).context("the terminal took no picture")?;
    Ok(())
}

fn has_pictures(terminal: &str) -> bool {
    let terminal = terminal.to_lowercase();
    WITH_PICTURES.iter().any(|name| terminal.contains(name))
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
        for name in ["xterm-kitty", "iTerm.app", "WezTerm", "foot-extra", "xterm-ghostty"] {
            assert!(has_pictures(name), "{name}");
        }
        for name in ["", "dumb", "xterm-256color", "screen", "linux", "Apple_Terminal"] {
            assert!(!has_pictures(name), "{name}");
        }
    }

    #[test]
    fn the_committed_ladder_is_drawn() {
        let file = ladder::workspace::root().expect("a clone").join("reports/h200/ladder.svg");
        let pixels = drawn(&std::fs::read(file).expect("a picture")).expect("drawn");
        let blues = pixels.pixels().iter().filter(|it| it.blue() > 150 && it.red() < 50).count();
        assert!(pixels.height() > 1000 && blues > 1000, "{blues} blue pixels");
    }
}
