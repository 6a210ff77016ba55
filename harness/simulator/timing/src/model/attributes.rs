//! A GPU of this machine as a GPU of the model: its driver's attributes override its capability's data.

use super::error::GpuError;
use super::figure::Document;
use super::gpu::Gpu;

/// The attributes of a device that a driver reports. Numbers that it does not know are `None` and are taken from the
/// compute capability's data where that has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    /// The device's name.
    pub name: String,
    /// Compute capability, major and minor.
    pub compute_capability: (u32, u32),
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Clock of the multiprocessors, kHz.
    pub clock_khz: u32,
    /// Clock of the memory, kHz; data is transferred on both edges.
    pub memory_clock_khz: Option<u32>,
    /// Width of the memory bus, bits.
    pub memory_bus_bits: Option<u32>,
    /// L2 cache, bytes.
    pub l2_bytes: Option<u64>,
    /// Shared memory of a multiprocessor, bytes.
    pub shared_bytes: Option<u64>,
    /// Shared memory that a block can ask for, bytes.
    pub block_shared_bytes: Option<u64>,
    /// Threads of a multiprocessor.
    pub threads: Option<u32>,
    /// Blocks of a multiprocessor.
    pub blocks: Option<u32>,
    /// 32-bit registers of a multiprocessor.
    pub registers: Option<u32>,
}

impl Gpu {
    /// A GPU of this machine: its capability's data, overridden by the driver's attributes. A capability without data of its own is
    /// described by that of the next lower one of the same generation (8.7 by 8.6), which [`Gpu::data_of`] then names.
    ///
    /// # Errors
    /// A generation without data, or attributes that are zero.
    pub fn of_device(device: &Attributes) -> Result<Gpu, GpuError> {
        let (major, minor) = device.compute_capability;
        let own = format!("{major}.{minor}");
        let data_of = data_for(major, minor).unwrap_or(&own);
        let name = if device.name.is_empty() { "this device" } else { &device.name };
        let mut table = toml::Table::new();
        table.insert("name".into(), name.into());
        table.insert("capability".into(), data_of.into());
        for (section, key, value) in device.figures() {
            // NaN is as impossible as zero.
            if value.is_nan() || value <= 0.0 {
                return Err(GpuError::Device { device: name.to_owned(), what: key, value });
            }
            let entry = table.entry(section).or_insert_with(|| toml::Table::new().into());
            if let Some(section) = entry.as_table_mut() {
                let source = "the driver's attribute of this device".into();
                section.insert(key.into(), vec![toml::Value::Float(value), source].into());
            }
        }
        let gpu = Gpu::resolve(Document { file: name.to_owned(), table })?;
        Ok(Gpu { compute_capability: own, ..gpu })
    }
}

impl Attributes {
    /// The figures that these attributes give, by table and key of a description.
    fn figures(&self) -> impl Iterator<Item = (&'static str, &'static str, f64)> {
        let memory = self.memory_clock_khz.zip(self.memory_bus_bits);
        let gb_per_s = memory.map(|(khz, bits)| 2.0 * f64::from(khz) * 1e3 * f64::from(bits) / 8e9);
        [
            ("chip", "multiprocessors", Some(f64::from(self.multiprocessors))),
            ("chip", "clock_mhz", Some(f64::from(self.clock_khz) / 1e3)),
            ("chip", "dram_gb_per_s", gb_per_s),
            ("chip", "l2_bytes", self.l2_bytes.map(|bytes| bytes as f64)),
            ("limits", "shared_bytes", self.shared_bytes.map(|bytes| bytes as f64)),
            ("limits", "block_shared_bytes", self.block_shared_bytes.map(|bytes| bytes as f64)),
            ("limits", "warps", self.threads.map(|threads| f64::from(threads / 32))),
            ("limits", "blocks", self.blocks.map(f64::from)),
            ("limits", "registers", self.registers.map(f64::from)),
        ]
        .into_iter()
        .filter_map(|(section, key, value)| Some((section, key, value?)))
    }
}

/// The capability whose data describes `major.minor`: the same, else the next lower of the generation.
fn data_for(major: u32, minor: u32) -> Option<&'static str> {
    let of = |name: &'static str| {
        let (a, b) = name.split_once('.')?;
        let (a, b): (u32, u32) = (a.parse().ok()?, b.parse().ok()?);
        (a == major && b <= minor).then_some((b, name))
    };
    Gpu::capabilities().filter_map(of).max().map(|(_, name)| name)
}
