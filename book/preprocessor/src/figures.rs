//! Figures that explain, drawn from what the program knows: in the page's own colours, so that they fit every theme.

mod chip;
mod kit;
mod pairs;
mod techniques;
mod tree;

use anyhow::{Result, bail};

use self::chip::{
    address, banks, barriers, blocks, chain, chains, grid, host, local, memories, occupancy,
    sectors, warps,
};
use self::pairs::{
    cutting, exchange, fragments, halves, registers, ring, stages, sums, times, triangle, turns,
};
use self::techniques::{
    append, arrivals, combine, flags, gantt, groups, histogram, message, overlap, queue,
    reciprocal, rounds, scan, separable, transfers, transpose, weights,
};
use self::tree::{bodies, curves, insertion, octree, walk};

/// The name of a figure, and what draws it.
type Figure = (&'static str, fn() -> Result<String>);

const FIGURES: [Figure; 80] = [
    ("address", || Ok(address::figure())),
    ("append-ballot", || Ok(append::ballot())),
    ("append-ranges", || Ok(append::ranges())),
    ("arrivals", || Ok(arrivals::arrivals())),
    ("bank-requests", || Ok(banks::requests())),
    ("barrier", || Ok(barriers::barrier())),
    ("blocks", || Ok(blocks::figure())),
    ("bodies", || Ok(times::bodies())),
    ("boxes", || Ok(bodies::boxes())),
    ("branch", || Ok(warps::divergence())),
    ("chains", || Ok(chains::figure())),
    ("compact", || Ok(combine::compact())),
    ("curve-levels", || Ok(curves::levels())),
    ("curves", || Ok(curves::both())),
    ("cutting", || Ok(cutting::figure())),
    ("dealt", || Ok(bodies::dealt())),
    ("exchange-bodies", || Ok(exchange::bodies())),
    ("exchange-pairs", || Ok(exchange::pairs())),
    ("fragments", || Ok(fragments::figure())),
    ("fused", || Ok(overlap::fused())),
    ("gantt", gantt::figure),
    ("gather", || Ok(exchange::gather())),
    ("grid", || Ok(grid::figure())),
    ("groups", || Ok(groups::figure())),
    ("halves", || Ok(halves::split())),
    ("host", host::figure),
    ("insertion", || Ok(insertion::figure())),
    ("interaction-lists", || Ok(walk::lists())),
    ("key-ranges", || Ok(curves::ranges())),
    ("ladder", || Ok(chain::ladder())),
    ("lanes", || Ok(sums::lanes())),
    ("languages", || Ok(chain::languages())),
    ("latency", || Ok(times::latency())),
    ("layouts", || Ok(sectors::layouts())),
    ("levels", || Ok(arrivals::levels())),
    ("local-memory", || Ok(local::figure())),
    ("look-back", || Ok(combine::look_back())),
    ("looking-back", || Ok(scan::looking_back())),
    ("margin", || Ok(separable::margin())),
    ("meet", || Ok(histogram::meet())),
    ("memories", memories::figure),
    ("message", || Ok(message::film())),
    ("moments", || Ok(bodies::moments())),
    ("occupancy", occupancy::filling),
    ("octree", || Ok(octree::figure())),
    ("opening-angle", || Ok(walk::angle())),
    ("own-bins", || Ok(histogram::own_bins())),
    ("padding", || Ok(banks::padding())),
    ("pairs", || Ok(triangle::pairs())),
    ("partial-warp", || Ok(occupancy::partial())),
    ("pieces", || Ok(times::pieces())),
    ("queue", || Ok(queue::lanes())),
    ("reciprocal", || Ok(reciprocal::figure())),
    ("register-blocks", || Ok(registers::blocks())),
    ("ring", || Ok(ring::figure())),
    ("scan-launches", || Ok(scan::launches())),
    ("scan-shuffles", || Ok(scan::shuffles())),
    ("sectors", || Ok(sectors::requests())),
    ("slots", || Ok(halves::slots())),
    ("stages", || Ok(stages::film())),
    ("streams", || Ok(overlap::streams())),
    ("strips", || Ok(triangle::threads())),
    ("sum-rounds", || Ok(rounds::film())),
    ("sums", || Ok(sums::vectors())),
    ("swizzle", || Ok(transpose::swizzled())),
    ("template", || Ok(flags::template())),
    ("tile", || Ok(barriers::tile())),
    ("tile-of-pairs", || Ok(fragments::tile())),
    ("tiles", || Ok(triangle::tiles())),
    ("transfer-paths", || Ok(transfers::paths())),
    ("transpose-tile", || Ok(transpose::tile())),
    ("transposed", || Ok(halves::transposed())),
    ("trees", || Ok(combine::trees())),
    ("turns", || Ok(turns::figure())),
    ("two-passes", || Ok(separable::passes())),
    ("vectors", || Ok(registers::lanes())),
    ("walk", || Ok(walk::film())),
    ("warp-paths", || Ok(warps::halves())),
    ("weights", || Ok(weights::linear())),
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
