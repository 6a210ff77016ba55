//! The ladder `access`: a copy of floats. All steps copy the same; which addresses the lanes of a warp touch at
//! once, and by how many bytes, is all that differs.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/access/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

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
    ],
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// A sector for each lane.
pub const STRIDE_32: Step = Step::first(
    "01-stride-32",
    "Stride 32",
    "lanes copy elements 128 bytes apart",
    BLOCK,
    Share::Strided(32),
);

/// Still a sector for each lane.
pub const STRIDE_16: Step = Step {
    name: "02-stride-16",
    after: Some(STRIDE_32.name),
    title: "Stride 16",
    changes: "64 bytes apart",
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=16"] },
    host: Share::Strided(16),
    ..STRIDE_32
};

/// The sectors of a warp lie side by side.
pub const STRIDE_8: Step = Step {
    name: "03-stride-8",
    after: Some(STRIDE_16.name),
    title: "Stride 8",
    changes: "32 bytes apart",
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=8"] },
    host: Share::Strided(8),
    ..STRIDE_16
};

/// Two lanes share a sector.
pub const STRIDE_4: Step = Step {
    name: "04-stride-4",
    after: Some(STRIDE_8.name),
    title: "Stride 4",
    changes: "16 bytes apart",
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=4"] },
    host: Share::Strided(4),
    ..STRIDE_8
};

/// Four lanes do.
pub const STRIDE_2: Step = Step {
    name: "05-stride-2",
    after: Some(STRIDE_4.name),
    title: "Stride 2",
    changes: "8 bytes apart",
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=2"] },
    host: Share::Strided(2),
    ..STRIDE_4
};

/// All of each sector.
pub const NEIGHBOURS: Step = Step {
    name: "06-neighbours",
    after: Some(STRIDE_2.name),
    title: "Neighbours",
    changes: "lanes copy neighbours",
    code: Code::Cuda { file: "06-neighbours", options: &[] },
    host: Share::Strided(1),
    ..STRIDE_2
};

/// Warps that begin within a sector.
pub const MISALIGNED: Step = Step {
    name: "06x-misaligned",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Misaligned",
    changes: "warps begin 4 bytes after a multiple of 128",
    code: Code::Cuda { file: "06x-misaligned", options: &[] },
    ..NEIGHBOURS
};

/// A byte for each thread.
pub const BYTES: Step = Step {
    name: "06x-bytes",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Bytes",
    changes: "a thread for each byte",
    code: Code::Cuda { file: "06x-bytes", options: &[] },
    host: Share::Byte,
    ..NEIGHBOURS
};

/// A structure of 3 floats for each thread.
pub const RECORDS_12: Step = Step {
    name: "06x-records-12",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Records of 12",
    changes: "a thread for each record of 12 bytes",
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=3"] },
    host: Share::Record(3),
    ..NEIGHBOURS
};

/// A structure of 4 floats for each thread.
pub const RECORDS_16: Step = Step {
    name: "06x-records-16",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Records of 16",
    changes: "a thread for each record of 16 bytes",
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=4"] },
    host: Share::Record(4),
    ..NEIGHBOURS
};

/// A structure of 10 floats for each thread.
pub const RECORDS_40: Step = Step {
    name: "06x-records-40",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Records of 40",
    changes: "a thread for each record of 40 bytes",
    code: Code::Cuda { file: "06x-records", options: &["-DFIELDS=10"] },
    host: Share::Record(10),
    ..NEIGHBOURS
};

/// The same records, of which each block copies one field.
pub const FIELD_BY_FIELD: Step = Step {
    name: "06x-field-by-field",
    after: Some(NEIGHBOURS.name),
    detour: true,
    title: "Field by field",
    changes: "records of 40 bytes, first all their first fields, and so on",
    code: Code::Cuda { file: "01-stride-32", options: &["-DSTRIDE=10"] },
    host: Share::Strided(10),
    ..NEIGHBOURS
};

/// 8 bytes for each thread.
pub const FLOAT2: Step = Step {
    name: "07-float2",
    after: Some(NEIGHBOURS.name),
    title: "float2",
    changes: "two elements a thread",
    code: Code::Cuda { file: "07-float2", options: &[] },
    host: Share::Record(2),
    ..NEIGHBOURS
};

/// 16 bytes for each thread.
pub const FLOAT4: Step = Step {
    name: "08-float4",
    after: Some(FLOAT2.name),
    title: "float4",
    changes: "four elements a thread",
    code: Code::Cuda { file: "08-float4", options: &[] },
    host: Share::Record(4),
    ..FLOAT2
};
