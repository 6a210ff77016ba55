//! Pictures of many shapes: each pixel has a thread, and no block is idle.

use crate::meter::Check;
use crate::reader::grid;

pub fn main() {
    let check = Check::begin();
    let n = check.n as u32;
    let other = 1 + (check.random().bits() % 500) as u32;
    for (width, height) in
        [(n, other), (other, n), (n, 8 * n), (1, 1), (32, 8), (64, 8 * 65_535), (31, 7)]
    {
        let (x, y) = grid(width, height);
        let found = format!("for {width} x {height} pixels the grid is {x} x {y}: ");
        let (across, down) = (width.div_ceil(32), height.div_ceil(8));
        if y > 65_535 {
            check.wrong(&format!("{found}a grid has at most 65535 blocks in y"));
        }
        if x < across {
            check.wrong(&format!("{found}column {} is not covered", x * 32));
        }
        if y < down && y < 65_535 {
            check.wrong(&format!(
                "{found}row {} is not covered, and there may be more blocks in y",
                y * 8
            ));
        }
        if x > across || y > down {
            check.wrong(&format!("{found}whole blocks are idle; {across} x {down} cover it"));
        }
    }
    check.end();
}
