//! The modelled GPU as programs see it: `cudaDeviceProp` and device attributes.

use simt::model::Gpu;

use crate::config::Config;

/// What a field of `cudaDeviceProp` holds.
enum Value {
    /// `char[n]`
    Text(String, usize),
    /// `int`, `int[n]`
    Ints(Vec<i64>),
    /// `size_t`
    Size(u64),
}

/// A field of `cudaDeviceProp`, with the numbers of the attributes that have its values. `is_old` marks fields that release 13
/// removed.
struct Field {
    attributes: &'static [u32],
    is_old: bool,
    value: Value,
}

/// Size of `cudaDeviceProp` in bytes. What follows the last field below is zero.
fn struct_bytes(release: u32) -> usize {
    match release {
        13.. => 1008,
        12 => 1032,
        _ => 728,
    }
}

/// The bytes of `cudaDeviceProp` as the configured release lays it out.
pub(crate) fn structure(gpu: &Gpu, config: &Config) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in fields(gpu, config.memory) {
        if field.is_old && config.release >= 13 {
            continue;
        }
        match field.value {
            Value::Text(text, size) => {
                let mut text = text.into_bytes();
                text.truncate(size - 1);
                text.resize(size, 0);
                bytes.extend(text);
            }
            Value::Ints(values) => {
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                values.iter().for_each(|it| bytes.extend((*it as i32).to_le_bytes()));
            }
            Value::Size(value) => {
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                bytes.extend(value.to_le_bytes());
            }
        }
    }
    bytes.resize(struct_bytes(config.release), 0);
    bytes
}

/// An attribute by its number in `cudaDeviceAttr`.
pub(crate) fn attribute(gpu: &Gpu, config: &Config, number: u32) -> Option<i32> {
    fields(gpu, config.memory).into_iter().find_map(|field| {
        let place = field.attributes.iter().position(|it| *it == number)?;
        match field.value {
            Value::Ints(values) => values.get(place).map(|value| *value as i32),
            Value::Size(value) => Some(i32::try_from(value).unwrap_or(i32::MAX)),
            Value::Text(..) => None,
        }
    })
}

/// The name of the GPU, as a program sees it.
pub(crate) fn name(gpu: &Gpu) -> String {
    format!("{} (simulated)", gpu.name)
}

/// The fields in the order of the structure.
fn fields(gpu: &Gpu, memory: u64) -> Vec<Field> {
    let mut all = Vec::new();
    let mut add = |attributes, is_old, value| all.push(Field { attributes, is_old, value });
    let ints = |values: &[i64]| Value::Ints(values.to_vec());
    let whole = |figure: &simt::model::Figure| figure.value as i64;
    let (limits, chip) = (&gpu.limits, &gpu.chip);
    let (major, minor) = gpu.compute_capability.split_once('.').unwrap_or(("0", "0"));
    let number = |text: &str| text.parse::<i64>().unwrap_or(0);
    let clock = whole(&chip.clock_mhz) * 1000;
    // Only the product of bus width and memory clock is known, so the width is a convention.
    let bus_bits = 4096;
    let memory_clock = (chip.dram_gb_per_s.value * 1e6 * 8.0 / 2.0 / bus_bits as f64) as i64;
    let ratio = (gpu.throughput.fp32.value / gpu.throughput.fp64.value.max(0.5)) as i64;
    let l2 = chip.l2_bytes.value as i64;

    add(&[], false, Value::Text(name(gpu), 256));
    add(&[], false, Value::Text(String::new(), 16 + 8));
    add(&[], false, ints(&[0]));
    add(&[], false, Value::Size(memory));
    add(&[8], false, Value::Size(48 << 10));
    add(&[12], false, ints(&[whole(&limits.registers)]));
    add(&[10], false, ints(&[32]));
    add(&[11], false, Value::Size(0x7fff_ffff));
    add(&[1], false, ints(&[whole(&limits.block_threads)]));
    add(&[2, 3, 4], false, ints(&[1024, 1024, 64]));
    add(&[5, 6, 7], false, ints(&[0x7fff_ffff, 65_535, 65_535]));
    add(&[13], true, ints(&[clock]));
    add(&[9], false, Value::Size(64 << 10));
    add(&[75, 76], false, ints(&[number(major), number(minor)]));
    add(&[14], false, Value::Size(512));
    add(&[51], false, Value::Size(32));
    // deviceOverlap
    add(&[15], true, ints(&[1]));
    add(&[16], false, ints(&[whole(&chip.multiprocessors)]));
    // kernelExecTimeoutEnabled
    add(&[17], true, ints(&[0]));
    // integrated, canMapHostMemory
    add(&[18, 19], false, ints(&[0, 1]));
    // computeMode
    add(&[20], true, ints(&[0]));
    // Textures: 1-D, mipmapped
    add(&[21, 77], false, ints(&[131_072, 32_768]));
    // 1-D of linear memory
    add(&[69], true, ints(&[1 << 28]));
    add(&[22, 23, 73, 74], false, ints(&[131_072, 65_536, 32_768, 32_768]));
    add(&[70, 71, 72, 45, 46], false, ints(&[131_072, 65_000, 2_097_120, 32_768, 32_768]));
    add(&[24, 25, 26, 47, 48, 49], false, ints(&[16_384, 16_384, 16_384, 8192, 8192, 32_768]));
    add(&[52, 42, 43], false, ints(&[32_768, 32_768, 2048]));
    add(&[27, 28, 29, 53, 54], false, ints(&[32_768, 32_768, 2048, 32_768, 2046]));
    // Surfaces: 1-D, 2-D, 3-D, layered, cube
    add(&[55, 56, 57, 58, 59, 60], false, ints(&[32_768, 131_072, 65_536, 16_384, 16_384, 16_384]));
    add(&[61, 62, 63, 64, 65], false, ints(&[32_768, 2048, 32_768, 32_768, 2048]));
    add(&[66, 67, 68], false, ints(&[32_768, 32_768, 2046]));
    add(&[30], false, Value::Size(512));
    // concurrentKernels, ECCEnabled
    add(&[31, 32], false, ints(&[1, 0]));
    // pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing
    add(&[33, 34, 50, 35, 40, 41], false, ints(&[0, 0, 0, 0, 3, 1]));
    add(&[36], true, ints(&[memory_clock]));
    add(&[37], false, ints(&[bus_bits]));
    add(&[38, 108], false, ints(&[l2, l2 / 2]));
    add(&[39], false, ints(&[whole(&limits.warps) * 32]));
    // streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported
    add(&[78, 79, 80], false, ints(&[1, 1, 1]));
    add(&[81], false, Value::Size(limits.shared_bytes.value as u64));
    add(&[82], false, ints(&[whole(&limits.registers)]));
    // managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported
    add(&[83, 84, 85, 86], false, ints(&[1, 0, 0, 0]));
    add(&[87], true, ints(&[ratio]));
    // pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
    // cooperativeLaunch
    add(&[88, 89, 90, 91, 95], false, ints(&[0, 1, 1, 1, 1]));
    // cooperativeMultiDeviceLaunch
    add(&[96], true, ints(&[0]));
    add(&[97], false, Value::Size(limits.block_shared_bytes.value as u64));
    // pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost
    add(&[100, 101], false, ints(&[0, 0]));
    add(&[106], false, ints(&[whole(&limits.blocks)]));
    // accessPolicyMaxWindowSize
    add(&[109], false, ints(&[0]));
    add(&[111], false, Value::Size(limits.reserved_shared_bytes.value as u64));
    // hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
    // timelineSemaphoreInteropSupported, memoryPoolsSupported
    add(&[99, 112, 113, 114, 115], false, ints(&[1, 0, 0, 0, 1]));
    all
}
