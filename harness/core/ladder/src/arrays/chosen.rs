//! Which results are compared, where the reference of all would take too long.

use std::collections::BTreeSet;

use chacha20::rand_core::Rng;
use elements::Random;

use super::data::Extent;

/// At most `most` places, in ascending order, of a result of columns × rows (× planes) elements, stored row by row: all,
/// if there are no more. Else the first and the last, corners of the tiles of `tile` columns and rows of which kernels' blocks
/// are made, and others that are drawn. All corners are among them if they are at most half of `most`.
///
/// # Panics
/// The result is empty, or `tile` or `most` is 0.
pub fn chosen(
    [columns, rows, planes]: Extent,
    tile: u64,
    most: usize,
    random: &mut Random,
) -> Vec<usize> {
    let rows = rows * planes;
    let count = columns * rows;
    assert!(count > 0 && tile > 0 && most > 0, "there is something to choose from");
    if count <= most as u64 {
        return (0..count as usize).collect();
    }
    let (across, down) = (edges(columns, tile), edges(rows, tile));
    let corner = |i: u64| {
        let i = i as usize;
        down[i / across.len()] * columns + across[i % across.len()]
    };
    let corners = (across.len() * down.len()) as u64;
    let half = most as u64 / 2;
    let mut places = match corners <= half {
        true => (0..corners).map(corner).collect(),
        false => (0..half).map(|_| corner(random.next_u64() % corners)).collect::<BTreeSet<_>>(),
    };
    places.extend((places.len() as u64 + 2..most as u64).map(|_| random.next_u64() % count));
    places.extend([0, count - 1]);
    places.into_iter().map(|place| place as usize).collect()
}

/// The first and the last place of each tile of a length.
fn edges(length: u64, tile: u64) -> Vec<u64> {
    let starts = (0..length).step_by(tile as usize);
    let ends = starts.flat_map(|start| [start, (start + tile).min(length) - 1]);
    ends.collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    fn places(extent: Extent, tile: u64, most: usize) -> Vec<usize> {
        chosen(extent, tile, most, &mut Random::seed_from_u64(1))
    }

    #[test]
    fn few_results_are_all_compared() {
        assert_eq!(places([3, 2, 2], 32, 12), (0..12).collect::<Vec<_>>());
    }

    #[test]
    fn of_many_every_tile_has_its_corners() {
        let (columns, rows, most) = (100, 70, 200);
        let all = places([columns, rows, 1], 32, most);
        assert!(all.len() <= most && all.len() > most - 20, "{}", all.len());
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        for row in [0, 31, 32, 63, 64, 69] {
            for column in [0, 31, 32, 63, 64, 95, 96, 99] {
                assert!(all.contains(&(row * 100 + column)), "{row}, {column}");
            }
        }
        let others = all.iter().filter(|at| *at / 100 == 50);
        assert!(others.count() > 0, "a row within a tile");
    }

    #[test]
    fn where_tiles_are_too_many_some_are_drawn() {
        let all = places([10_000, 10_000, 1], 16, 1000);
        assert!(all.len() <= 1000 && all.len() > 950, "{}", all.len());
        assert_eq!((all[0], all[all.len() - 1]), (0, 99_999_999));
        let edge = |at: usize| [0, 15].contains(&(at % 16));
        let corners = all.iter().filter(|at| edge(*at % 10_000) && edge(*at / 10_000)).count();
        assert!(corners > 450, "{corners}");
        let other = chosen([10_000, 10_000, 1], 16, 1000, &mut Random::seed_from_u64(2));
        assert_ne!(all, other);
    }
}
