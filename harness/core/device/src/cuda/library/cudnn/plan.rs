//! Plans for a graph: kernels that the library proposes, and how they are started.

use std::ffi::{c_int, c_void};
use std::ptr::from_ref;

use super::functions::{Attribute, Descriptor, Functions, Object};
use super::graph::{self, Graph};
use crate::api::library::Attention;
use crate::error::Error;

/// Proposals that are asked for.
const PROPOSALS: usize = 8;

/// `CUDNN_HEUR_MODE_A`.
const USUAL: c_int = 3;

/// `cudnnBackendDescriptorType_t`.
const CONFIGURATION: c_int = 3;
const HEURISTICS: c_int = 4;
pub(super) const PLAN: c_int = 5;
const PACK: c_int = 16;

/// `CUDNN_ATTR_…`.
const MODE: Attribute<c_int> = Attribute::new(200, 8);
const GRAPH: Attribute<Object> = Attribute::new(201, 15);
const RESULTS: Attribute<Object> = Attribute::new(202, 15);
const HANDLE: Attribute<Object> = Attribute::new(400, 0);
const CONFIGURED: Attribute<Object> = Attribute::new(401, 15);
const WORKSPACE_BYTES: Attribute<i64> = Attribute::new(402, 3);
const NUMBERS: Attribute<i64> = Attribute::new(1000, 3);
const POINTERS: Attribute<*const c_void> = Attribute::new(1001, 6);
const WORKSPACE: Attribute<*const c_void> = Attribute::new(1003, 6);

/// How the library computes an attention.
pub(super) struct Plan {
    pub(super) of: Attention,
    /// Bytes of memory of its own.
    pub(super) workspace: usize,
    functions: &'static Functions,
    descriptor: Descriptor,
    /// What it was made from.
    _configuration: Descriptor,
}

impl Plan {
    /// The plans that the library proposes, and why one of them cannot be used.
    pub(super) fn proposed(
        graph: &Graph,
        functions: &'static Functions,
        handle: Object,
    ) -> Result<Vec<Result<Plan, Error>>, Error> {
        let make = |kind| Descriptor::new(functions, kind);
        let heuristics = make(HEURISTICS)?
            .with(GRAPH, &[graph.descriptor.object])?
            .with(MODE, &[USUAL])?
            .finalized("the heuristics of")?;
        // The library writes into descriptors that there are.
        let configurations: Vec<Descriptor> =
            (0..PROPOSALS).map(|_| make(CONFIGURATION)).collect::<Result<_, _>>()?;
        let mut objects: Vec<Object> = configurations.iter().map(|it| it.object).collect();
        let found = heuristics.read(RESULTS, &mut objects)?;
        let plan = |configuration: Descriptor| {
            let descriptor = make(PLAN)?
                .with(HANDLE, &[handle])?
                .with(CONFIGURED, &[configuration.object])?
                .finalized("a plan of")?;
            let mut bytes = [0];
            descriptor.read(WORKSPACE_BYTES, &mut bytes)?;
            let workspace = bytes[0].max(0) as usize;
            Ok(Plan {
                of: graph.of,
                workspace,
                functions,
                descriptor,
                _configuration: configuration,
            })
        };
        Ok(configurations.into_iter().take(found).map(plan).collect())
    }

    /// The addresses of Q, K, V and O and of the library's own memory, as the library takes them.
    pub(super) fn pack(&self, at: [u64; 4], workspace: u64) -> Result<Pack, Error> {
        let host = Box::new([self.of.scale, f32::NEG_INFINITY]);
        let [scale, unseen] = host.each_ref().map(|number| from_ref(number).cast());
        let [q, k, v, o] = at.map(|address| address as *const c_void);
        let mut given =
            vec![(graph::Q, q), (graph::K, k), (graph::V, v), (graph::O, o), (graph::SCALE, scale)];
        if self.of.causal {
            given.push((graph::UNSEEN, unseen));
        }
        let (numbers, pointers): (Vec<i64>, Vec<*const c_void>) = given.into_iter().unzip();
        let descriptor = Descriptor::new(self.functions, PACK)?
            .with(NUMBERS, &numbers)?
            .with(POINTERS, &pointers)?
            .with(WORKSPACE, &[workspace as *const c_void])?
            .finalized("the arrays of")?;
        Ok(Pack { at, descriptor, _host: host })
    }

    /// Starts it on the default stream.
    ///
    /// # Safety
    /// The pack is this plan's, its addresses are of matrices of this size, and its workspace is of as much memory as the plan
    /// says.
    pub(super) unsafe fn execute(&self, handle: Object, pack: &Pack) -> Result<(), Error> {
        // SAFETY: the caller vouches for the addresses; the numbers on the host live as long as the pack.
        let status = unsafe {
            (self.functions.execute)(handle, self.descriptor.object, pack.descriptor.object)
        };
        self.functions.check("cudnnBackendExecute of", status)
    }
}

/// The arrays of a call. It is kept for the next one, so that a short kernel does not wait for the host.
pub(super) struct Pack {
    /// Where Q, K, V and O are.
    pub(super) at: [u64; 4],
    descriptor: Descriptor,
    /// The numbers on the host, to which it points.
    _host: Box<[f32; 2]>,
}
