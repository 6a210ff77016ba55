//! The trees of all GPUs, gathered on each, so that the walk can be done again.

use std::borrow::Cow;

use device::{Device, Error, Group};

use super::Forest;
use crate::array::{Array, Sizes};
use crate::defect::Defect;
use crate::downloaded::Downloaded;
use crate::keyed::alone::DEPTHS;
use crate::keyed::boxes;
use crate::keyed::forest::{BODY, BOXES, NODE, WORDS, room};
use crate::walk::Grown;

impl Forest<'_> {
    /// What the trees of all GPUs are read from.
    pub(super) fn gathered(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        found: &Downloaded,
    ) -> Result<Vec<Downloaded>, Error> {
        let sizes = self.placed.memory.sizes;
        let read = found.arrays.iter().filter_map(|(array, _)| {
            Some((*array, width(&Sizes { n: sizes.most, ..sizes }, array.name)?))
        });
        let read: Vec<(Array, usize)> = read.collect();
        let stride: usize = read.iter().map(|(_, width)| width).sum();
        let mut all = vec![0; stride * self.shares.of.len()];
        let mut at = sizes.gpu as usize * stride;
        for (array, width) in &read {
            let own = found.words(array.name);
            let own = &own[..own.len().min(*width)];
            all[at..at + own.len()].copy_from_slice(own);
            at += width;
        }
        let buffer = device.alloc("trees", 4 * all.len())?;
        device.upload(&buffer, bytemuck::cast_slice(&all))?;
        group.all_gather(device, &buffer)?;
        group.wait(device, &buffer)?;
        let all: Vec<u32> = device.read(&buffer)?;
        let of = |(share, mut words): (&Vec<u32>, &[u32])| {
            let sizes = Sizes { n: share.len() as u64, ..sizes };
            let cut = |(array, most): &(Array, usize)| {
                let (own, rest) = words.split_at(*most);
                words = rest;
                (*array, own[..width(&sizes, array.name).unwrap_or(0)].to_vec())
            };
            Downloaded { sizes, arrays: read.iter().map(cut).collect() }
        };
        Ok(self.shares.of.iter().zip(all.chunks(stride.max(1))).map(of).collect())
    }

    /// The trees of the other GPUs, read and checked.
    pub(super) fn others(&self, found: &[Downloaded]) -> Result<Vec<Grown<'static>>, Defect> {
        let own = self.placed.memory.sizes.gpu as usize;
        let others = self.shares.of.iter().zip(found).enumerate();
        let others = others.filter(|(gpu, (share, _))| *gpu != own && !share.is_empty());
        let grown = |(gpu, (share, found)): (usize, (&Vec<u32>, &Downloaded))| {
            let of = |defect: Defect| Defect(format!("on GPU {gpu}: {defect}"));
            let bodies = self.all.of(share).bodies;
            let tree = (self.placed.host.tree)(found).map_err(of)?;
            let (_, nodes) = tree.check(&bodies).map_err(of)?;
            Ok(Grown { tree, nodes, bodies: Cow::Owned(bodies) })
        };
        others.map(grown).collect()
    }
}

/// Words of an array from which the tree of a GPU is read; none of others.
fn width(sizes: &Sizes, array: &str) -> Option<usize> {
    let words = match array {
        "order" => sizes.n,
        "totals" => DEPTHS,
        BOXES => boxes(sizes),
        BODY => 4 * sizes.n,
        NODE => WORDS * room(sizes),
        _ => return None,
    };
    Some(words as usize)
}
