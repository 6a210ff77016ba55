//! The ladder `decode`: the product of a matrix of weights and a vector, as a language model computes it for each token, or for
//! the tokens of several texts at once.
//!
//! The steps are here, the problem is in [`problem`], and how weights are held in [`weights`]; the kernels are in
//! `kernels/decode/`.

pub mod problem;
#[cfg(test)]
mod tests;
pub mod weights;

use ladder::{Code, Steps, Threads};

use problem::{Decode, Plan, Step};
use weights::Format;

/// The ladder.
pub static LADDER: Steps<Decode> = Steps::of(
    "decode",
    &[
        NAIVE,
        WARP_ROWS,
        VECTORS,
        READING,
        BYTES,
        NIBBLES,
        FOUR_ROWS,
        BATCH,
        TENSOR_CORES,
        TENSOR_BYTES,
        TENSOR_NIBBLES,
        MANY_ROWS,
    ],
)
.not_modelled(&[
    (
        "03-vectors",
        "how few bytes its parent has under way, whose loads of a warp are only 64 bytes long",
    ),
    (
        "06-four-rows",
        "how long its parent's warps wait for their loads, which the model takes for longer than they do",
    ),
    (
        "11-many-rows",
        "how often its vectors come from memory: the model runs one multiprocessor, whose first reading it takes for one of each",
    ),
]);

/// A loop over a row.
const NAIVE: Step = Step::first("01-naive", "Naive", "a thread for each row", 128, Plan::THREAD);

/// Neighbours in a row.
const WARP_ROWS: Step = Step {
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan::warp(Format::Bf16, 1),
    ..NAIVE.then("02-warp-rows", "Warp rows", "a warp for each row")
};

/// Sixteen bytes an instruction.
const VECTORS: Step = Step {
    code: Code::Cuda { file: "03-vectors", options: &["--std=c++14"] },
    ..WARP_ROWS.then("03-vectors", "Vectors", "eight weights at a time")
};

/// What cannot be exceeded with 16 bits.
const READING: Step = Step {
    rewrite: Some("nothing is multiplied: only the loads stay"),
    host: Plan::warp(Format::Words, 1),
    ..VECTORS.then("03x-reading", "Limit: reading", "adds up the words of the weights")
};

/// Half the bytes.
const BYTES: Step = Step {
    host: Plan::warp(Format::Bytes, 1),
    ..VECTORS.then("04-bytes", "Bytes", "weights of 8 bits, with a scale for 128 of them")
};

/// A quarter.
const NIBBLES: Step = Step {
    host: Plan::warp(Format::Nibbles, 1),
    ..BYTES.then("05-nibbles", "Nibbles", "weights of 4 bits")
};

/// Each element of x for several rows.
const FOUR_ROWS: Step = Step {
    host: Plan::warp(Format::Nibbles, 4),
    ..NIBBLES.then("06-four-rows", "Four rows", "a warp for four rows")
};

/// Each weight for several vectors.
const BATCH: Step = Step {
    rewrite: Some("a warp has several rows and vectors, and a sum for each pair"),
    host: Plan::batch(2),
    ..VECTORS.then("07-batch", "Batch", "up to eight vectors for each weight")
};

/// Other units.
const TENSOR_CORES: Step = Step {
    rewrite: Some(
        "the warps of a block multiply small matrices, and share the columns of their rows",
    ),
    needs: (8, 0), // numbers of BF16
    host: Plan::tensor_cores(Format::Bf16, 1),
    ..BATCH.then("08-tensor-cores", "Tensor cores", "16 rows times eight vectors")
};

/// Half the bytes.
const TENSOR_BYTES: Step = Step {
    rewrite: Some("whole numbers become factors, and the sums of a group get its scale"),
    host: Plan::tensor_cores(Format::Bytes, 1),
    ..TENSOR_CORES.then(
        "09-tensor-bytes",
        "Tensor bytes",
        "weights of 8 bits become BF16 on the way",
    )
};

/// A quarter.
const TENSOR_NIBBLES: Step = Step {
    host: Plan::tensor_cores(Format::Nibbles, 1),
    ..TENSOR_BYTES.then("10-tensor-nibbles", "Tensor nibbles", "weights of 4 bits")
};

/// Each element of the vectors for several tiles of rows.
const MANY_ROWS: Step = Step {
    rewrite: Some("rows, weights and sums of two tiles are arrays"),
    host: Plan::tensor_cores(Format::Nibbles, 2),
    ..TENSOR_NIBBLES.then("11-many-rows", "Many rows", "32 rows for each element of a vector")
};
