//! Instructions that need more than one GPU of compute capability 9.0, and why they are refused.

/// Why an instruction is not executed here, if it is one of those.
pub(super) fn elsewhere(opcode: &str) -> Option<&'static str> {
    let has = |part: &str| opcode.split('.').any(|word| word == part);
    let starts = |part: &str| opcode.split('.').next() == Some(part);
    if starts("multimem") {
        // PTX ISA, "multimem.ld_reduce, multimem.st, multimem.red": "must be a multimem address".
        return Some(
            "its address is that of a multicast object, which joins the memory of several GPUs, and the simulator has one GPU; \
             use `ld`, `st` or `red` of each GPU's own memory",
        );
    }
    if starts("tcgen05") {
        return Some(
            "tensor memory exists from sm_100 on, and the simulator has that of sm_90; use `wgmma`",
        );
    }
    if starts("clusterlaunchcontrol") {
        return Some("blocks are cancelled from sm_100 on; count tiles with an atomic addition");
    }
    if has("tile::gather4") || has("tile::scatter4") {
        // PTX ISA, "cp.async.bulk.tensor", target notes.
        return Some("rows are gathered and scattered from sm_100 on; copy boxes of one row each");
    }
    if has("im2col") || has("im2col::w") || has("im2col::w::128") {
        return Some(
            "tensors are copied in tile mode only; compute the coordinates of each box in the kernel",
        );
    }
    if has("block_scale") {
        return Some(
            "products with block scales exist on sm_100 and sm_120, where nothing was recorded; scale the sums of a product of \
             e4m3",
        );
    }
    None
}
