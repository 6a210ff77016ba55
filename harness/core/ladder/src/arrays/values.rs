//! Elements of an array, of one of the types that arrays have.

use elements::Element;
use half::bf16;

use crate::judge::{Errors, Mismatch, judge_exactly};

macro_rules! values {
    ($($variant:ident($type:ty)),*) => {
        /// Elements of an array.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs)]
        pub enum Values {
            $($variant(Vec<$type>),)*
        }

        impl Values {
            /// What they are in memory.
            pub fn bytes(&self) -> &[u8] {
                match self {
                    $(Values::$variant(all) => bytemuck::cast_slice(all),)*
                }
            }

            /// The same, to be written.
            pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
                match self {
                    $(Values::$variant(all) => bytemuck::cast_slice_mut(all),)*
                }
            }

            /// Number of elements.
            pub fn len(&self) -> usize {
                match self {
                    $(Values::$variant(all) => all.len(),)*
                }
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Bytes of one element.
            pub(super) fn element_bytes(&self) -> usize {
                match self {
                    $(Values::$variant(_) => size_of::<$type>(),)*
                }
            }

            /// Those at some places.
            pub(super) fn at(&self, places: &[usize]) -> Values {
                match self {
                    $(Values::$variant(all) => Values::$variant(places.iter().map(|&at| all[at]).collect()),)*
                }
            }

            /// How many were written since all bytes were `poison`.
            pub(super) fn written(&self, poison: u8) -> usize {
                match self {
                    $(Values::$variant(all) => <$type>::written(all, poison),)*
                }
            }

            /// So many zeros of the same type.
            pub(super) fn zeros(&self, count: usize) -> Values {
                match self {
                    $(Values::$variant(_) => Values::$variant(vec![<$type>::default(); count]),)*
                }
            }

            /// Whether one of them has nothing but such bytes.
            pub(super) fn has_all(&self, byte: u8) -> bool {
                match self {
                    $(Values::$variant(all) => <$type>::has_all(all, byte),)*
                }
            }

            /// The first of them, as many as `count`.
            pub(super) fn first(&self, count: usize) -> Values {
                match self {
                    $(Values::$variant(all) => Values::$variant(all[..count.min(all.len())].to_vec()),)*
                }
            }

            /// Takes for right what was not written since all bytes were `poison`.
            pub(super) fn complete(&mut self, expected: &Values, poison: u8) {
                match (self, expected) {
                    $((Values::$variant(got), Values::$variant(expected)) => {
                        let is_poison = |it: &$type| bytemuck::bytes_of(it).iter().all(|byte| *byte == poison);
                        let unwritten = got.iter_mut().zip(expected).filter(|(got, _)| is_poison(got));
                        unwritten.for_each(|(got, expected)| *got = *expected);
                    })*
                    _ => panic!("read as what is expected"),
                }
            }

            /// A number that does not depend on their order: two arrays have the same by chance once in 2⁶⁴.
            pub(super) fn fingerprint(&self) -> u64 {
                match self {
                    $(Values::$variant(all) => <$type>::fingerprint(all),)*
                }
            }

            /// The same in ascending order.
            pub(super) fn sorted(&self) -> Values {
                match self {
                    $(Values::$variant(all) => {
                        let mut all = all.clone();
                        all.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
                        Values::$variant(all)
                    })*
                }
            }

            /// One of them as a number.
            pub(super) fn number(&self, i: usize) -> f64 {
                match self {
                    $(Values::$variant(all) => all[i].number(),)*
                }
            }

            /// How far they are from expected ones of the same type; what is greater by up to `above` is not off.
            pub(super) fn errors(&self, expected: &Values, above: f64) -> Errors {
                match (self, expected) {
                    $((Values::$variant(got), Values::$variant(expected)) => {
                        <$type>::distance(got, expected, above).into()
                    })*
                    _ => panic!("read as what is expected"),
                }
            }

            /// The first that is further from what is expected than this part of it, and further than `least`.
            pub(super) fn first_apart(&self, expected: &Values, part: f64, least: f64) -> Option<usize> {
                match (self, expected) {
                    $((Values::$variant(got), Values::$variant(expected)) => {
                        <$type>::first_apart(got, expected, part, least)
                    })*
                    _ => panic!("read as what is expected"),
                }
            }

            /// Judges that they are equal to others of the same type.
            pub(super) fn judge_equal(
                &self,
                name: &str,
                n: u64,
                expected: &Values,
                place: impl Fn(usize) -> String,
            ) -> Result<Errors, Mismatch> {
                match (self, expected) {
                    $((Values::$variant(got), Values::$variant(expected)) => {
                        judge_exactly(name, n, (got, expected), place)
                    })*
                    _ => panic!("read as what is expected"),
                }
            }
        }

        $(impl From<Vec<$type>> for Values {
            fn from(all: Vec<$type>) -> Values {
                Values::$variant(all)
            }
        })*
    };
}

values!(U8(u8), U16(u16), I32(i32), U32(u32), U64(u64), Bf16(bf16), F32(f32), F64(f64));

impl Values {
    /// Makes all bytes of the first elements the same.
    pub(super) fn fill_first(&mut self, elements: usize, byte: u8) {
        let each = self.element_bytes();
        self.bytes_mut()[..elements * each].fill(byte);
    }

    /// Whether they are floats.
    pub(super) fn are_floats(&self) -> bool {
        matches!(self, Values::Bf16(_) | Values::F32(_) | Values::F64(_))
    }
}
