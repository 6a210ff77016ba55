//! What a GPU refuses before a launch begins.

use crate::launch::{Launch, LaunchError};
use crate::sampling::Multiprocessors;
use memory::Storage;
use program::Kernel;

impl Launch<'_> {
    /// Refuses what a GPU refuses of a kernel's launch: wrong arguments, or a shape that is impossible.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, kernel: &Kernel) -> Result<(), LaunchError> {
        check_arguments(kernel, self)?;
        check_shape(kernel, self)
    }
}

fn check_arguments(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    let refuse =
        |message| Err(LaunchError::Arguments { kernel: kernel.name().to_string(), message });
    let (parameters, arguments) = (kernel.parameters(), launch.arguments.iter());
    if parameters.len() != arguments.len() {
        let (wanted, found) = (parameters.len(), arguments.len());
        return refuse(format!("it takes {wanted} parameters, {found} were given"));
    }
    for (parameter, argument) in parameters.iter().zip(arguments) {
        if argument.len() != parameter.bytes as usize {
            let (name, wanted, found) = (&parameter.name, parameter.bytes, argument.len());
            return refuse(format!("`{name}` has {wanted} bytes, {found} were given"));
        }
    }
    Ok(())
}

/// Lays the arguments of a launch that was checked out as the kernel's parameters.
///
/// # Errors
/// Out of the host's memory.
pub(crate) fn parameters(kernel: &Kernel, launch: &Launch) -> Result<Storage, LaunchError> {
    let mut bytes: Vec<u8> = Vec::new();
    for (parameter, argument) in kernel.parameters().iter().zip(launch.arguments.iter()) {
        bytes.resize(bytes.len().next_multiple_of(parameter.align as usize), 0);
        bytes.extend_from_slice(argument);
    }
    let mut storage = Storage::new(bytes.len() as u64).ok_or_else(|| LaunchError::Arguments {
        kernel: kernel.name().to_string(),
        message: "out of the host's memory".to_string(),
    })?;
    storage.bytes_mut()[..bytes.len()].copy_from_slice(&bytes);
    Ok(storage)
}

/// Refuses a cooperative launch whose blocks do not all run at once.
///
/// # Errors
/// More blocks than fit.
pub fn check_residency(
    kernel: &Kernel,
    launch: &Launch,
    multiprocessors: Multiprocessors,
) -> Result<(), LaunchError> {
    let Multiprocessors { count: multiprocessors, resident_blocks, .. } = multiprocessors;
    let blocks = launch.blocks();
    let most = u64::from(multiprocessors) * u64::from(resident_blocks);
    if blocks <= most {
        return Ok(());
    }
    Err(LaunchError::Shape {
        kernel: kernel.name().to_string(),
        message: format!(
            "a cooperative launch of {blocks} blocks, of which {most} run at once ({resident_blocks} on each of {multiprocessors} multiprocessors); launch at most {most}, and let each do the work of several"
        ),
    })
}

/// Most blocks of a cluster (compute capability 9.0 and later); more than [`PORTABLE`] only where a kernel allows it.
const MOST_OF_CLUSTER: u64 = 16;
/// Most blocks of a cluster on every GPU that has them.
const PORTABLE: u64 = 8;

/// Refuses clusters that are impossible.
fn check_clusters(kernel: &Kernel, launch: &Launch) -> Result<(), String> {
    if let (Some([x, y, z]), Some([a, b, c])) = (launch.cluster, kernel.required_cluster())
        && [x, y, z] != [a, b, c]
    {
        return Err(format!(
            "clusters of {x}×{y}×{z} blocks; it was compiled for {a}×{b}×{c} (`__cluster_dims__`, `.reqnctapercluster`): \
             launch it with these, or without the attribute"
        ));
    }
    let Some(cluster) = launch.cluster.or(kernel.required_cluster()) else {
        if kernel.needs_cluster() {
            return Err("it was compiled to be launched in clusters (`.explicitcluster`): launch it with the attribute \
                 cudaLaunchAttributeClusterDimension"
                .to_string());
        }
        return Ok(());
    };
    let [x, y, z] = cluster;
    let blocks = cluster.iter().fold(1, |all: u64, &n| all.saturating_mul(n.into()));
    if blocks == 0 || blocks > MOST_OF_CLUSTER {
        return Err(format!(
            "clusters of {x}×{y}×{z} blocks; 1 to {PORTABLE} are possible on every GPU that has clusters, and \
             {MOST_OF_CLUSTER} on an H100"
        ));
    }
    if launch.grid.iter().zip(cluster).any(|(grid, cluster)| grid % cluster != 0) {
        let [a, b, c] = launch.grid;
        return Err(format!(
            "a grid of {a}×{b}×{c} blocks, which clusters of {x}×{y}×{z} do not divide: round the grid up to a multiple"
        ));
    }
    Ok(())
}

fn check_shape(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    /// The most that a block can have on any GPU so far (CC 9.0 and 10.0).
    const MOST_SHARED: u64 = 227 * 1024;
    /// `maxGridSize` of all GPUs since CC 3.0.
    const MOST_BLOCKS: [u32; 3] = [0x7fff_ffff, 65_535, 65_535];
    let refuse = |message| Err(LaunchError::Shape { kernel: kernel.name().to_string(), message });
    let [x, y, z] = launch.block;
    let threads = u64::from(x).saturating_mul(u64::from(y)).saturating_mul(u64::from(z));
    if threads == 0 || threads > 1024 || z > 64 {
        return refuse(format!(
            "a block of {x}×{y}×{z} threads; 1 to 1024 are possible, at most 64 in z"
        ));
    }
    if let Some(most) = kernel.most_threads().filter(|&most| threads > most) {
        return refuse(format!(
            "a block of {threads} threads; it was compiled for at most {most} (`__launch_bounds__`, `.maxntid`): \
             launch smaller blocks, or raise that bound"
        ));
    }
    if let Some(required) = kernel.required_block().filter(|&required| required != launch.block) {
        let [a, b, c] = required;
        return refuse(format!(
            "a block of {x}×{y}×{z} threads; it was compiled for {a}×{b}×{c} (`.reqntid`): launch such blocks"
        ));
    }
    check_clusters(kernel, launch).or_else(refuse)?;
    if launch.grid.iter().zip(MOST_BLOCKS).any(|(&blocks, most)| blocks == 0 || blocks > most) {
        let [x, y, z] = launch.grid;
        return refuse(format!(
            "a grid of {x}×{y}×{z} blocks; 1 to 2147483647×65535×65535 are possible"
        ));
    }
    let shared = u64::from(kernel.shared_bytes()) + u64::from(launch.shared_bytes);
    if shared > MOST_SHARED {
        return refuse(format!(
            "{shared} bytes of shared memory; a block has at most {MOST_SHARED}"
        ));
    }
    Ok(())
}
