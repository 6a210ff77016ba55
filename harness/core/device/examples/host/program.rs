//! Memory, launches, streams, events and a graph, as a host has them in Rust.

use cudarc::driver::sys::{CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, DriverError, LaunchConfig, PushKernelArg, sys};
use cudarc::nvrtc::Ptx;

const N: u32 = 1 << 14;

/// Whether a call can succeed: without the driver's library cudarc's calls panic.
pub fn has_driver() -> bool {
    // SAFETY: it only looks for the library.
    unsafe { sys::is_culib_present() }
}

/// Runs the program on the first GPU.
///
/// # Errors
/// There is no GPU, or a call of the driver fails.
// ANCHOR: program
pub fn run() -> Result<(), DriverError> {
    let gpu = CudaContext::new(0)?;
    // SAFETY: there is one stream, which needs no events between its calls; while it is recorded it must not wait for any.
    unsafe { gpu.disable_event_tracking() };
    println!("{}", gpu.name()?);
    let module = gpu.load_module(Ptx::from_src(include_str!("saxpy.ptx")))?;
    let saxpy = module.load_function("saxpy")?;
    let blocks = saxpy.occupancy_max_active_blocks_per_multiprocessor(256, 0, None)?;
    println!("blocks of 256: {blocks} at once");

    // Copies and launches of a stream follow each other; dropping a slice frees its memory.
    let stream = gpu.new_stream()?;
    let host_x: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let x = stream.clone_htod(&host_x)?;
    let mut y = stream.clone_htod(&vec![1.0_f32; N as usize])?;
    let shape = LaunchConfig {
        grid_dim: (N.div_ceil(256), 1, 1),
        block_dim: (256, 1, 1),
        shared_mem_bytes: 0,
    };
    let timed = Some(CUevent_flags::CU_EVENT_DEFAULT);

    let begin = stream.record_event(timed)?;
    let mut launch = stream.launch_builder(&saxpy);
    launch.arg(&N).arg(&2.0_f32).arg(&x).arg(&mut y);
    // SAFETY: these are the arguments that the kernel has, and both slices have N elements.
    unsafe { launch.launch(shape) }?;
    let end = stream.record_event(timed)?;
    println!("after a launch: {}", stream.clone_dtoh(&y)?[N as usize - 1]);
    println!("it took {} ms", begin.elapsed_ms(&end)?);

    // Three launches, recorded once and started by one call.
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)?;
    for _ in 0..3 {
        let mut launch = stream.launch_builder(&saxpy);
        launch.arg(&N).arg(&1.0_f32).arg(&x).arg(&mut y);
        // SAFETY: as above.
        unsafe { launch.launch(shape) }?;
    }
    if let Some(graph) = stream
        .end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH)?
    {
        graph.launch()?;
    }
    println!("after the graph: {}", stream.clone_dtoh(&y)?[N as usize - 1]);
    Ok(())
}
// ANCHOR_END: program
