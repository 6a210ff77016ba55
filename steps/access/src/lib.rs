//! The ladder `access`: a copy of floats. All steps copy the same; which addresses the lanes of a warp touch at
//! once, and by how many bytes, is all that differs.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/access/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Copy, Share, Step};

/// The ladder.
pub static LADDER: Steps<Copy> = Steps::of(
    "access",
    &[
        STRIDE_32,
        STRIDE_16,
        STRIDE_8,
        STRIDE_4,
        STRIDE_2,
        NEIGHBOURS,
        MISALIGNED,
        BYTES,
        RECORDS_12,
        RECORDS_16,
        RECORDS_40,
        FIELD_BY_FIELD,
        FLOAT2,
        FLOAT4,
        BULK,
    ],
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// A sector for each lane.
const STRIDE_32: Step = Step::first(
    "01-stride-32",
    "Stride 32",
    "lanes copy elements 128 bytes apart",
    BLOCK,
    Share::Strided(32),
);

/// Still a sector for each lane.
const STRIDE_16: Step = Step {
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=16"] },
    host: Share::Strided(16),
    ..STRIDE_32.then("02-stride-16", "Stride 16", "64 bytes apart")
};

/// The sectors of a warp lie side by side.
const STRIDE_8: Step = Step {
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=8"] },
    host: Share::Strided(8),
    ..STRIDE_16.then("03-stride-8", "Stride 8", "32 bytes apart")
};

/// Two lanes share a sector.
const STRIDE_4: Step = Step {
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=4"] },
    host: Share::Strided(4),
    ..STRIDE_8.then("04-stride-4", "Stride 4", "16 bytes apart")
};

/// Four lanes do.
const STRIDE_2: Step = Step {
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=2"] },
    host: Share::Strided(2),
    ..STRIDE_4.then("05-stride-2", "Stride 2", "8 bytes apart")
};

/// All of each sector.
const NEIGHBOURS: Step = Step {
    code: Code::Cuda { file: "06-neighbours", options: &[] },
    host: Share::Strided(1),
    ..STRIDE_2.then("06-neighbours", "Neighbours", "lanes copy neighbours")
};

/// Warps that begin within a sector.
const MISALIGNED: Step =
    NEIGHBOURS.then("06x-misaligned", "Misaligned", "warps begin 4 bytes after a multiple of 128");

const BYTES: Step =
    Step { host: Share::Byte, ..NEIGHBOURS.then("06x-bytes", "Bytes", "a thread for each byte") };

/// A structure of 3 floats for each thread.
const RECORDS_12: Step = Step {
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=3"] },
    host: Share::Record(3),
    ..NEIGHBOURS.then("06x-records-12", "Records of 12", "a thread for each record of 12 bytes")
};

/// A structure of 4 floats for each thread.
const RECORDS_16: Step = Step {
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=4"] },
    host: Share::Record(4),
    ..NEIGHBOURS.then("06x-records-16", "Records of 16", "a thread for each record of 16 bytes")
};

/// A structure of 10 floats for each thread.
const RECORDS_40: Step = Step {
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=10"] },
    host: Share::Record(10),
    ..NEIGHBOURS.then("06x-records-40", "Records of 40", "a thread for each record of 40 bytes")
};

/// The same records, of which each block copies one field.
const FIELD_BY_FIELD: Step = Step {
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=10"] },
    host: Share::Strided(10),
    ..NEIGHBOURS.then(
        "06x-field-by-field",
        "Field by field",
        "records of 40 bytes, first all their first fields, and so on",
    )
};

/// 8 bytes for each thread.
const FLOAT2: Step = Step {
    host: Share::Record(2),
    ..NEIGHBOURS.then("07-float2", "float2", "two elements a thread")
};

/// 16 bytes for each thread.
const FLOAT4: Step =
    Step { host: Share::Record(4), ..FLOAT2.then("08-float4", "float4", "four elements a thread") };

/// No lane copies anything but the rest.
const BULK: Step = Step {
    code: Code::Cuda { file: "09-bulk", options: &[] },
    needs: (9, 0),
    threads: Threads::Blocks { block: 32, stated: true },
    host: Share::Tile(512),
    rewrite: Some(
        "no lane loads or stores any more, and the engine is used through functions of PTX",
    ),
    ..FLOAT4.then("09-bulk", "Bulk copy", "the copy engine moves 2 KB for one thread")
};
