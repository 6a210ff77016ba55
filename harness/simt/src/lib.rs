//! Executes PTX on the CPU, warp by warp.
