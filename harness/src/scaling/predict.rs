//! What several GPUs would take, found on fewer: launches are timed here, exchanges by a model of the link.

use std::fmt;
use std::time::Instant;

use device::{Buffer, Device, Error, Group};
use serde::{Deserialize, Serialize};

/// Bandwidth that NCCL reaches on the NVLink of an H100 or H200, 10⁹ bytes/s per GPU and direction: four fifths of the 450 of
/// its 18 links ("NVIDIA H100 Tensor Core GPU Architecture", 2022: 900 GB/s in both directions together).
pub const NVLINK_4: f64 = 360.0;

/// Seconds that an exchange takes at least: a launch of NCCL's kernel, and the wait of one stream for another. In
/// `reports/h200-gpus` two GPUs take 15 µs longer with one exchange of a megabyte that nothing hides.
const LATENCY: f64 = 12e-6;

/// Seconds for each further GPU of the ring through which data goes.
const HOP: f64 = 1e-6;

/// The link between GPUs, each of which sends and receives at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Link {
    bytes_per_second: f64,
}

impl Link {
    /// A link of so many bytes per second and direction.
    pub fn of(bytes_per_second: f64) -> Link {
        Link { bytes_per_second }
    }

    /// Seconds in which `gpus` of them gather or sum a buffer of so many bytes: each sends and receives all parts but one.
    fn seconds(self, bytes: usize, gpus: usize) -> f64 {
        let others = (gpus - 1) as f64;
        let moved = bytes as f64 * others / gpus as f64;
        LATENCY + HOP * others + moved / self.bytes_per_second
    }
}

/// In words, as a report says through what GPUs exchanged data.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a modelled link of {:.0} GB/s", self.bytes_per_second / 1e9)
    }
}

/// A group whose exchanges move nothing: it adds up how long launches would have waited for them.
pub struct Imagined {
    rank: usize,
    size: usize,
    link: Link,
    /// Exchanges that are under way: the buffer's address, their seconds, and when they began.
    begun: Vec<(u64, f64, Instant)>,
    exposed: f64,
}

impl Imagined {
    /// With the ranks of `group`.
    pub fn new(group: &dyn Group, link: Link) -> Imagined {
        let (rank, size) = (group.rank(), group.size());
        Imagined { rank, size, link, begun: Vec::new(), exposed: 0.0 }
    }

    /// How long launches would have waited so far, s.
    pub fn exposed_seconds(&self) -> f64 {
        self.exposed
    }

    fn begin(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        device.synchronize()?;
        let seconds = self.link.seconds(buffer.bytes(), self.size);
        self.begun.push((buffer.address(), seconds, Instant::now()));
        Ok(())
    }
}

impl Group for Imagined {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn says(&self) -> String {
        self.link.to_string()
    }

    fn all_gather(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.begin(device, buffer)
    }

    fn reduce_scatter(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.begin(device, buffer)
    }

    fn wait(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        let Some(at) = self.begun.iter().position(|(address, ..)| *address == buffer.address())
        else {
            return Ok(());
        };
        let (_, seconds, began) = self.begun.remove(at);
        device.synchronize()?;
        self.exposed += (seconds - began.elapsed().as_secs_f64()).max(0.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gpu_moves_all_parts_but_one() {
        let link = Link::of(100e9);
        let two = link.seconds(2_000_000_000, 2);
        let eight = link.seconds(2_000_000_000, 8);
        assert!((two - 0.010_013).abs() < 1e-9, "{two}");
        assert!((eight - 0.017_519).abs() < 1e-9, "{eight}");
    }
}
