//! Lanes that find each other by their keys, and one addition for each group.

use crate::figures::kit::drawing::Drawing;

/// Keys of the lanes; none has no key.
const KEYS: [Option<u32>; 16] = {
    let (a, b) = (Some(7), Some(8));
    [a, a, a, a, a, None, a, a, a, a, b, b, b, b, b, b]
};
const LANES: usize = KEYS.len();
const WIDE: f64 = 22.0;

/// The additions of lanes that vote in tiles: one where all have the same key, else one for each that has a key.
fn by_tiles(tile: usize) -> usize {
    let additions = KEYS.chunks(tile).map(|lanes| match lanes[0] {
        Some(key) if lanes.iter().all(|it| *it == Some(key)) => 1,
        _ => lanes.iter().flatten().count(),
    });
    additions.sum()
}

/// The additions if the lanes of equal keys find each other.
fn by_key() -> usize {
    let mut keys: Vec<u32> = KEYS.into_iter().flatten().collect();
    keys.dedup();
    keys.len()
}

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        250.0,
        "Sixteen lanes with keys 7 and 8, one without a key. As one group they need an addition for each lane; in tiles of four fewer; \
         with match any, one for each key",
    );
    let fill = |lane: usize| match KEYS[lane] {
        Some(7) => "busy",
        Some(_) => "load",
        None => "",
    };
    let name = |lane: usize| KEYS[lane].map_or("–".to_owned(), |key| key.to_string());
    drawing.text((4.0, 14.0), "the keys of sixteen lanes; one has none");
    drawing.row((2.0, 22.0), (WIDE, 24.0), (0..LANES).map(|lane| (fill(lane), name(lane))));
    for (way, (title, tile)) in
        [("do all agree?", LANES), ("tiles of four", 4)].into_iter().enumerate()
    {
        let top = 64.0 + 62.0 * way as f64;
        drawing.text((4.0, top + 14.0), &format!("{title}: {} additions", by_tiles(tile)));
        for first in (0..LANES).step_by(tile) {
            let agree = KEYS[first].is_some()
                && KEYS[first..first + tile].iter().all(|it| *it == KEYS[first]);
            let corner = (3.0 + WIDE * first as f64, top + 22.0);
            let size = (WIDE * tile as f64 - 2.0, 24.0);
            let words = if agree { "yes" } else { "no" };
            drawing.cell(if agree { fill(first) } else { "" }, corner, size, words);
        }
    }
    drawing.text((4.0, 202.0), &format!("match any: {} additions, one for each key", by_key()));
    drawing.row((2.0, 210.0), (WIDE, 24.0), (0..LANES).map(|lane| (fill(lane), "")));
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_counted_by_hand() {
        assert_eq!([by_tiles(16), by_tiles(4), by_key()], [15, 3 + 1 + 1 + 4, 2]);
    }
}
