//! How the steps of the n-body ladder that have parts are launched.

use super::file::file;
use crate::request::Request;

/// Constants that all steps with scalar arrays have, for `n` bodies.
fn arrays(n: u32) -> Vec<(&'static str, String)> {
    let mut constants = vec![
        ("n", format!("i32={n}")),
        ("dthf", "f32=0.01".to_owned()),
        ("epssq", "f32=0.1".to_owned()),
    ];
    for name in ["mass", "posx", "posy", "posz"] {
        constants.push((name, format!("f32[{n}]=rand")));
    }
    for name in ["velx", "vely", "velz", "accx", "accy", "accz"] {
        constants.push((name, format!("f32[{n}]=zero")));
    }
    constants
}

/// Step 02 with any block size.
pub fn n_threads(n: u32, block: u32) -> Request {
    Request {
        file: "kernels/nbody/02-n-threads",
        source: file!("kernels/nbody/02-n-threads.cu"),
        ptx: file!("kernels/nbody/02-n-threads.ptx").to_owned(),
        kernel: "force",
        grid: n.div_ceil(block),
        block,
        arguments: vec![
            format!("i32={n}"),
            format!("f32[{}]=rand", 10 * n),
            "f32=0.01".to_owned(),
            "f32=0.1".to_owned(),
            "i32=0".to_owned(),
        ],
        constants: Vec::new(),
        recorded: 0,
        hazards: false,
    }
}

/// Step 06, whose kernel fixes the block.
pub fn shared_blocking(n: u32) -> Request {
    Request {
        file: "kernels/nbody/06-shared-blocking",
        source: file!("kernels/nbody/06-shared-blocking.cu"),
        ptx: file!("kernels/nbody/06-shared-blocking.ptx").to_owned(),
        kernel: "force",
        grid: n.div_ceil(256),
        block: 256,
        arguments: vec!["i32=0".to_owned()],
        constants: arrays(n),
        recorded: 0,
        hazards: false,
    }
}

/// Step 14; the walk of each group in one part.
pub fn pairs(n: u32) -> Request {
    let padded = n.next_multiple_of(256);
    let mut constants = vec![("n", format!("i32={n}")), ("epssq", "f32=0.1".to_owned())];
    constants.push(("body", format!("f32[{}]=rand", 4 * padded)));
    constants.push(("sums", format!("f32[{}]=zero", 4 * padded)));
    Request {
        file: "kernels/nbody/14-pairs",
        source: file!("kernels/nbody/14-pairs.cu"),
        ptx: file!("kernels/nbody/14-pairs.ptx").to_owned(),
        kernel: "force",
        grid: (padded / 256).div_ceil(4),
        block: 128,
        arguments: vec!["i32=0".to_owned()],
        constants,
        recorded: 0,
        hazards: false,
    }
}
