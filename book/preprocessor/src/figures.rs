//! Figures that explain, drawn from what the program knows: in the page's own colours, so that they fit every theme.

mod banks;
mod barriers;
mod blocks;
mod chain;
mod combine;
mod cutting;
mod drawing;
mod exchange;
mod fragments;
mod grid;
mod halves;
mod host;
mod memories;
mod octree;
mod overlap;
mod registers;
mod ring;
mod sectors;
mod shared;
mod sums;
mod times;
mod triangle;
mod turns;
mod warps;

use anyhow::{Result, bail};

/// The name of a figure, and what draws it.
type Figure = (&'static str, fn() -> Result<String>);

const FIGURES: [Figure; 42] = [
    ("bank-requests", || Ok(banks::requests())),
    ("barrier", || Ok(barriers::barrier())),
    ("blocks", || Ok(blocks::figure())),
    ("bodies", || Ok(times::bodies())),
    ("branch", || Ok(warps::divergence())),
    ("compact", || Ok(combine::compact())),
    ("cutting", || Ok(cutting::figure())),
    ("exchange-bodies", || Ok(exchange::bodies())),
    ("exchange-pairs", || Ok(exchange::pairs())),
    ("fragments", || Ok(fragments::figure())),
    ("fused", || Ok(overlap::fused())),
    ("gather", || Ok(exchange::gather())),
    ("grid", || Ok(grid::figure())),
    ("halves", || Ok(halves::split())),
    ("host", host::figure),
    ("ladder", || Ok(chain::ladder())),
    ("languages", || Ok(chain::languages())),
    ("lanes", || Ok(sums::lanes())),
    ("latency", || Ok(times::latency())),
    ("layouts", || Ok(sectors::layouts())),
    ("look-back", || Ok(combine::look_back())),
    ("memories", memories::figure),
    ("octree", || Ok(octree::figure())),
    ("padding", || Ok(banks::padding())),
    ("pairs", || Ok(triangle::pairs())),
    ("pieces", || Ok(times::pieces())),
    ("register-blocks", || Ok(registers::blocks())),
    ("ring", || Ok(ring::figure())),
    ("sectors", || Ok(sectors::requests())),
    ("slots", || Ok(halves::slots())),
    ("strips", || Ok(triangle::threads())),
    ("streams", || Ok(overlap::streams())),
    ("sums", || Ok(sums::vectors())),
    ("tile", || Ok(barriers::tile())),
    ("tile-of-pairs", || Ok(fragments::tile())),
    ("tiles", || Ok(triangle::tiles())),
    ("transposed", || Ok(halves::transposed())),
    ("trees", || Ok(combine::trees())),
    ("turns", || Ok(turns::figure())),
    ("vectors", || Ok(registers::lanes())),
    ("warp-paths", || Ok(warps::halves())),
    ("window", || Ok(overlap::window())),
];

/// The figure of this name as HTML.
///
/// # Errors
/// There is none; the names that exist are listed.
pub fn html(name: &str) -> Result<String> {
    match FIGURES.iter().find(|(known, _)| *known == name) {
        Some((_, draw)) => draw(),
        None => {
            let known: Vec<&str> = FIGURES.iter().map(|(known, _)| *known).collect();
            bail!("there is no figure `{name}`; there are: {}", known.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn no_page_has_a_drawing_typed_by_hand() {
        let mut folders = vec![ladder::workspace::root().expect("the workspace").join("book/src")];
        while let Some(folder) = folders.pop() {
            for file in fs::read_dir(folder).expect("a folder") {
                let path = file.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    let page = fs::read_to_string(&path).expect("a page");
                    assert!(!page.contains("<svg"), "{}: draw it in `figures`", path.display());
                }
            }
        }
    }

    #[test]
    fn figures_are_blocks_with_words() {
        for (name, draw) in FIGURES {
            let html = draw().expect(name);
            assert!(html.starts_with("<figure") && !html.contains("\n\n"), "{html}");
            assert!(html.contains("aria-label=\"") && html.matches("<text").count() >= 3, "{html}");
        }
        assert!(html("none").is_err_and(|error| error.to_string().contains("padding")));
    }
}
