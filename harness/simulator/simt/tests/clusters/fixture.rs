//! Runs a kernel in clusters.

use std::sync::Arc;

use simt::{Events, Launch, LaunchError, Module, Simulator, Watch};

/// A text with one kernel `test(.param .u64 out)`. The body finds in `%r0` its thread, in `%r1` its block's number along x, in
/// `%r2` its rank, in `%r3` the size of its cluster, and in `%rd0` its thread's word of `out`. There are registers 0 … 39 of
/// each kind, 64 words of shared memory called `data` and 8 bytes called `bar`.
pub fn kernel(directives: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 out) {directives}\n{{\n\
         .reg .pred %p<40>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.shared .align 8 .b64 bar;\n\
         .shared .align 512 .b8 data[256];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n\
         mov.u32 %r2, %cluster_ctarank;\nmov.u32 %r3, %cluster_nctarank;\nld.param.u64 %rd0, [out];\n\
         mov.u32 %r4, %ntid.x;\nmad.lo.u32 %r4, %r1, %r4, %r0;\nmad.wide.u32 %rd0, %r4, 4, %rd0;\n{body}\nret;\n}}\n"
    )
}

/// Arrives at the barrier of the cluster and waits.
pub const SYNC: &str = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

/// A launch of blocks in a row.
#[derive(Clone, Copy)]
pub struct Shape {
    pub blocks: u32,
    pub threads: u32,
    pub cluster: Option<u32>,
}

impl Shape {
    /// What the launch leaves in `out`, and its events.
    pub fn try_run(self, text: &str, watch: &Watch) -> Result<(Vec<u32>, Events), LaunchError> {
        let module = Module::parse("test.ptx", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let simulator = Simulator::new(1 << 24);
        let loaded = simulator.load(Arc::new(module)).expect("enough memory");
        let words = self.blocks * self.threads;
        let out = simulator.alloc("out", 4 * u64::from(words)).expect("enough memory");
        simulator.fill(out, 4 * u64::from(words), 0).expect("its size");
        let launch = Launch::new([self.blocks, 1, 1], [self.threads, 1, 1])
            .cluster(self.cluster.map(|size| [size, 1, 1]))
            .argument(out);
        let events = simulator.launch(&loaded, "test", &launch, watch)?;
        let mut bytes = vec![0; 4 * words as usize];
        simulator.read(out, &mut bytes).expect("its size");
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        Ok((bytes.chunks_exact(4).map(word).collect(), events))
    }

    /// The same of a launch without a fault.
    pub fn run(self, text: &str) -> Vec<u32> {
        match self.try_run(text, &Watch::default()) {
            Ok((out, _)) => out,
            Err(error) => panic!("{error}\n{text}"),
        }
    }

    /// The text of the error.
    pub fn error(self, text: &str) -> String {
        match self.try_run(text, &Watch::default()) {
            Ok(_) => panic!("no error\n{text}"),
            Err(error) => error.to_string(),
        }
    }

    /// The hazards of a launch without a fault.
    pub fn hazards(self, text: &str) -> Vec<simt::Fault> {
        let watch = Watch { hazards: true, ..Watch::default() };
        match self.try_run(text, &watch) {
            Ok((_, events)) => events.hazards,
            Err(error) => panic!("{error}\n{text}"),
        }
    }
}
