//! Arguments of kernels, and of the functions that stand for kernels on the CPU.

use simt::texture::MAP_BYTES;

use super::buffer::Buffer;
use super::tensor::TensorMap;
use super::texture::Object;

/// Room for the largest argument, which is a tensor map.
pub(crate) type Bits = [u64; MAP_BYTES / 8];

/// Declares the arguments: a variant for each scalar type, and a pointer.
macro_rules! arguments {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)*) => {
        /// One kernel argument.
        #[derive(Debug, Clone, Copy)]
        pub enum Argument<'a> {
            $($(#[$doc])* $variant($type),)*
            /// A pointer to the start of a buffer, or of a [part](Buffer::part) of one. Host memory is mapped: the kernel
            /// reads and writes it over the bus.
            Buffer(&'a Buffer),
            /// A texture or surface object.
            Object(&'a Object),
            /// A tensor map, which the kernel gets by value.
            TensorMap(&'a TensorMap),
        }

        /// An argument as a function of the CPU gets it.
        #[derive(Debug)]
        pub enum HostArgument<'a> {
            $($(#[$doc])* $variant($type),)*
            /// All of a buffer, which begins at a multiple of 64 bytes, or of a part of one.
            Buffer(&'a mut [u8]),
        }

        impl Argument<'_> {
            /// The argument's bits from the low end on, and how many bytes of them the kernel takes.
            pub(crate) fn bits(&self) -> (Bits, usize) {
                match self {
                    $(Argument::$variant(value) => low(&value.to_le_bytes()),)*
                    Argument::Buffer(buffer) => low(&buffer.address().to_le_bytes()),
                    Argument::Object(object) => low(&object.number().to_le_bytes()),
                    Argument::TensorMap(map) => (map.words(), size_of::<Bits>()),
                }
            }

            /// The argument for a function, whose buffers are `memory`.
            pub(crate) fn for_host<'m>(&self, memory: Option<&'m mut [u8]>) -> HostArgument<'m> {
                match self {
                    $(Argument::$variant(value) => HostArgument::$variant(*value),)*
                    Argument::Buffer(_) => HostArgument::Buffer(memory.unwrap_or_default()),
                    // No object and no map is the CPU's: none comes here.
                    Argument::Object(object) => HostArgument::U64(object.number()),
                    Argument::TensorMap(map) => HostArgument::U64(map.words()[0]),
                }
            }
        }

        $(impl From<$type> for Argument<'_> {
            fn from(value: $type) -> Self {
                Argument::$variant(value)
            }
        })*
    };
}

arguments! {
    /// A `signed char`.
    I8(i8),
    /// A `short`.
    I16(i16),
    /// An `int`.
    I32(i32),
    /// A `long long`.
    I64(i64),
    /// An `unsigned char`.
    U8(u8),
    /// An `unsigned short`.
    U16(u16),
    /// An `unsigned int`.
    U32(u32),
    /// An `unsigned long long`.
    U64(u64),
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
}

impl<'a> From<&'a Buffer> for Argument<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Argument::Buffer(buffer)
    }
}

impl<'a> From<&'a Object> for Argument<'a> {
    fn from(object: &'a Object) -> Self {
        Argument::Object(object)
    }
}

impl<'a> From<&'a TensorMap> for Argument<'a> {
    fn from(map: &'a TensorMap) -> Self {
        Argument::TensorMap(map)
    }
}

fn low(bytes: &[u8]) -> (Bits, usize) {
    let (mut all, mut low) = (Bits::default(), [0; 8]);
    low[..bytes.len()].copy_from_slice(bytes);
    all[0] = u64::from_le_bytes(low);
    (all, bytes.len())
}
