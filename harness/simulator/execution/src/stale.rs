//! What texture caches hold: what a launch writes through a surface, samples see from the next launch on. CUDA promises no
//! less, and no more; here a launch samples what there was when it began.

use crate::launch::Launch;
use memory::{Memory, Storage};
use program::Kernel;
use textures::Objects;

/// The arrays that a launch both samples and writes, as they were when it began: address and texels. Those are known whose
/// objects are arguments of the kernel.
pub(crate) struct Stale(Vec<(u64, Storage)>);

impl Stale {
    /// Those of a launch that begins now.
    pub(crate) fn of(
        kernel: &Kernel,
        launch: &Launch,
        objects: &Objects,
        memory: &Memory,
    ) -> Stale {
        let program = kernel.program();
        let both = !program.samples.is_empty() && program.surfaces.iter().any(|it| it.stores());
        let numbers = launch.arguments.iter().filter_map(|argument| {
            let bytes = <[u8; 8]>::try_from(argument).ok().filter(|_| both)?;
            Some(u64::from_le_bytes(bytes))
        });
        let numbers: Vec<u64> = numbers.collect();
        let sampled = |address| {
            let textures = numbers.iter().filter_map(|&number| objects.texture(number));
            textures.map(|texture| texture.texels.range().0).any(|first| first == address)
        };
        let written = numbers.iter().filter_map(|&number| objects.surface(number));
        let arrays = written.filter(|array| sampled(array.address()));
        let texels = arrays.filter_map(|array| {
            let (address, bytes) = (array.address(), array.shape().bytes());
            let allocation = &memory.allocations()[memory.find(address, bytes)?];
            Some((address, allocation.storage.copy(address - allocation.address, bytes)?))
        });
        Stale(texels.collect())
    }

    /// The texels of the array at an address, if the launch changes them.
    pub(crate) fn find(&self, address: u64) -> Option<&Storage> {
        self.0.iter().find(|(first, _)| *first == address).map(|(_, texels)| texels)
    }
}
