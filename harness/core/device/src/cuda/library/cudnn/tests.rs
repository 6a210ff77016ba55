//! A made-up library computes what the graph says, on memory of the host.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::without_provenance_mut;

use super::functions::*;
use super::graph::*;
use super::plan::PLAN;
use super::*;

/// A descriptor of the made-up library: its kind, and the values of each attribute.
struct Described {
    kind: c_int,
    attributes: HashMap<c_int, Vec<u8>>,
    is_final: bool,
}

impl Described {
    /// The values of an attribute.
    fn all<T: Copy>(&self, attribute: c_int) -> Vec<T> {
        let bytes = self.attributes.get(&attribute).map_or(&[][..], |bytes| bytes);
        let value = |bytes: &[u8]| {
            // SAFETY: the attribute was set with values of this type.
            unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
        };
        bytes.chunks(size_of::<T>()).map(value).collect()
    }

    fn one<T: Copy>(&self, attribute: c_int) -> T {
        self.all(attribute)[0]
    }

    /// The descriptor that an attribute names.
    fn part(&self, attribute: c_int) -> &Described {
        described(self.one(attribute))
    }

    fn number(&self) -> i64 {
        self.one(906)
    }

    fn shape(&self) -> [usize; 4] {
        let shape: Vec<i64> = self.all(902);
        [0, 1, 2, 3].map(|axis| shape[axis] as usize)
    }

    /// Where an element is: an axis of one element repeats it.
    fn at(&self, place: [usize; 4]) -> usize {
        let (shape, strides): (_, Vec<i64>) = (self.shape(), self.all(903));
        let steps = (0..4).map(|axis| place[axis].min(shape[axis] - 1) * strides[axis] as usize);
        steps.sum()
    }
}

fn described<'d>(object: Object) -> &'d Described {
    // SAFETY: `make` made it, and its owner lives.
    let described = unsafe { &*object.cast::<Described>() };
    assert!(described.is_final, "{} is not final", described.kind);
    described
}

unsafe extern "C" fn create(handle: *mut Object) -> Status {
    // SAFETY: the caller's pointer is to a handle.
    unsafe { *handle = without_provenance_mut(7) };
    0
}

unsafe extern "C" fn destroy(_: Object) -> Status {
    0
}

unsafe extern "C" fn make(kind: c_int, object: *mut Object) -> Status {
    let described = Described { kind, attributes: HashMap::new(), is_final: false };
    // SAFETY: the caller's pointer is to a descriptor.
    unsafe { *object = Box::into_raw(Box::new(described)).cast() };
    0
}

unsafe extern "C" fn end(object: Object) -> Status {
    // SAFETY: `make` made it, and the caller is its only owner.
    drop(unsafe { Box::from_raw(object.cast::<Described>()) });
    0
}

/// Bytes of a value of a type.
fn bytes_of(attribute_type: c_int) -> usize {
    match attribute_type {
        0 | 3 | 6 | 15 => 8,
        1 | 8 | 14 | 18 => 4,
        2 => 1,
        other => panic!("no type {other}"),
    }
}

unsafe extern "C" fn set(
    object: Object,
    name: c_int,
    of: c_int,
    count: i64,
    values: *const c_void,
) -> Status {
    // SAFETY: the caller's descriptor is from `make`, and there are so many values of this type.
    let (described, bytes) = unsafe {
        let bytes = std::slice::from_raw_parts(values.cast::<u8>(), count as usize * bytes_of(of));
        (&mut *object.cast::<Described>(), bytes)
    };
    assert!(!described.is_final);
    assert!(described.attributes.insert(name, bytes.to_vec()).is_none(), "{name} is set twice");
    0
}

unsafe extern "C" fn get(
    object: Object,
    name: c_int,
    _: c_int,
    room: i64,
    found: *mut i64,
    values: *mut c_void,
) -> Status {
    let from = described(object);
    // SAFETY: the caller's pointers are to a number and to so many values.
    unsafe {
        *found = 1;
        match name {
            402 => *values.cast::<i64>() = 0,
            // Of two proposals, the first cannot be planned.
            202 => {
                assert!(room >= 2);
                *found = 2;
                for i in 0..2 {
                    let configuration = &mut **values.cast::<*mut Described>().add(i);
                    let graph: Object = from.one(201);
                    configuration.attributes.insert(-1, (graph as u64).to_ne_bytes().to_vec());
                    configuration.attributes.insert(-2, (i as i64).to_ne_bytes().to_vec());
                    configuration.is_final = true;
                }
            }
            other => panic!("no attribute {other}"),
        }
    }
    0
}

unsafe extern "C" fn finalize(object: Object) -> Status {
    // SAFETY: the caller's descriptor is from `make`.
    let described_here = unsafe { &mut *object.cast::<Described>() };
    described_here.is_final = true;
    match described_here.kind {
        PLAN if described_here.part(401).one::<i64>(-2) == 0 => 3000,
        _ => 0,
    }
}

/// Elements of tensors by their numbers, as they lie in memory.
type Elements = HashMap<i64, Vec<f32>>;

/// Computes a graph's operations, one after the other.
unsafe extern "C" fn execute(handle: Object, plan: Object, pack: Object) -> Status {
    assert_eq!(handle.addr(), 7);
    let (plan, pack) = (described(plan), described(pack));
    let numbers: Vec<i64> = pack.all(1000);
    let given: HashMap<i64, *mut c_void> =
        numbers.into_iter().zip(pack.all::<*mut c_void>(1001)).collect();
    let operations: Vec<Object> = described(plan.part(401).one(-1)).all(801);
    let mut elements = Elements::new();
    for operation in operations.into_iter().map(described) {
        compute(operation, &given, &mut elements);
    }
    0
}

/// Computes the result of an operation, and writes it if it has a place.
fn compute(operation: &Described, given: &HashMap<i64, *mut c_void>, elements: &mut Elements) {
    let operands: &[c_int] = match operation.kind {
        POINTWISE_OPERATION => &[751, 752, 758],
        PRODUCT_OPERATION => &[1520, 1521],
        REDUCTION_OPERATION => &[1610],
        other => panic!("no operation {other}"),
    };
    let operands = operands.iter().filter(|it| operation.attributes.contains_key(it));
    let operands: Vec<&Described> = operands.map(|it| operation.part(*it)).collect();
    for operand in &operands {
        elements.entry(operand.number()).or_insert_with(|| read(operand, given));
    }
    let value = |operand: usize, place| {
        let tensor = operands[operand];
        elements[&tensor.number()][tensor.at(place)]
    };
    let result = operation.part(match operation.kind {
        POINTWISE_OPERATION => 753,
        PRODUCT_OPERATION => 1522,
        _ => 1611,
    });
    let shape = result.shape();
    let mut made = vec![f32::NAN; shape.iter().product()];
    for i in 0..made.len() {
        let [_, heads, rows, columns] = shape;
        let place @ [batch, head, row, column] = [
            i / columns / rows / heads,
            i / columns / rows % heads,
            i / columns % rows,
            i % columns,
        ];
        let of = |operand| value(operand, place);
        made[result.at(place)] = match operation.kind {
            PRODUCT_OPERATION => (0..operands[0].shape()[3])
                .map(|k| value(0, [batch, head, row, k]) * value(1, [batch, head, k, column]))
                .sum(),
            REDUCTION_OPERATION => {
                let all = (0..operands[0].shape()[3]).map(|k| value(0, [batch, head, row, k]));
                match operation.part(1612).one(1600) {
                    LARGEST => all.fold(f32::NEG_INFINITY, f32::max),
                    _ => all.sum(),
                }
            }
            _ => match operation.part(750).one(0) {
                ADD => of(0) + of(1),
                MULTIPLY => of(0) * of(1),
                DIVIDE => of(0) / of(1),
                SUBTRACT => of(0) - of(1),
                EXPONENTIAL => of(0).exp(),
                LOGARITHM => of(0).ln(),
                IS_NOT_LESS => f32::from(u8::from(of(0) >= of(1))),
                INDEX => place[operation.part(750).one::<i64>(9) as usize] as f32,
                SELECT if of(2) != 0.0 => of(0),
                SELECT => of(1),
                other => panic!("no mode {other}"),
            },
        };
    }
    if !result.one::<bool>(907) {
        let bits: Vec<u16> = made.iter().map(|it| (it.to_bits() >> 16) as u16).collect();
        // SAFETY: the caller's array is as large as the tensor says.
        unsafe { given[&result.number()].cast::<u16>().copy_from(bits.as_ptr(), bits.len()) };
    }
    elements.insert(result.number(), made);
}

/// The elements of an array, or a number on the host.
fn read(tensor: &Described, given: &HashMap<i64, *mut c_void>) -> Vec<f32> {
    let from = given[&tensor.number()];
    let count: usize = tensor.shape().iter().product();
    // SAFETY: the caller's array is as large as the tensor says.
    unsafe {
        match (tensor.one(901), tensor.one(908)) {
            (FLOAT, true) => vec![*from.cast::<f32>()],
            (BF16, false) => std::slice::from_raw_parts(from.cast::<u16>(), count)
                .iter()
                .map(|bits| f32::from_bits(u32::from(*bits) << 16))
                .collect(),
            other => panic!("no array of {other:?}"),
        }
    }
}

unsafe extern "C" fn name(_: Status) -> *const c_char {
    c"CUDNN_STATUS_NOT_SUPPORTED".as_ptr()
}

unsafe extern "C" fn last(text: *mut c_char, room: usize) {
    let message = b"too odd\0";
    assert!(room >= message.len());
    // SAFETY: there is room for the message.
    unsafe { text.copy_from(message.as_ptr().cast(), message.len()) };
}

fn made_up() -> &'static Functions {
    Box::leak(Box::new(Functions {
        path: PathBuf::new(),
        version: "9.14.0".to_owned(),
        create,
        destroy,
        make,
        end,
        set,
        get,
        finalize,
        execute,
        name,
        last,
        _library: None,
    }))
}

#[test]
fn a_graph_computes_attention() {
    let (functions, [n, heads, size]) = (made_up(), [5, 2, 4]);
    let random = |seed: usize| -> Vec<f32> {
        (0..n * heads * size).map(|i| ((i * seed + seed) % 13) as f32 / 4.0 - 1.5).collect()
    };
    let [q, k, v] = [7, 11, 5].map(random);
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    for causal in [true, false] {
        let of = Attention { extent: [n, heads, size].map(|it| it as u64), causal, scale: 0.5 };
        let handle = functions.open().unwrap();
        let graph = Graph::attention(functions, handle, &of).unwrap();
        let plans = Plan::proposed(&graph, functions, handle).unwrap();
        let [Err(refused), Ok(plan)] = plans.as_slice() else { panic!("one of two is a plan") };
        assert!(refused.is_skipped() && refused.to_string().contains("too odd"), "{refused}");
        let bits = |all: &[f32]| -> Vec<u16> {
            all.iter().map(|it| (it.to_bits() >> 16) as u16).collect()
        };
        let [q_bits, k_bits, v_bits] = [&q, &k, &v].map(|it| bits(it));
        let mut o = vec![0u16; q.len()];
        let at = [
            q_bits.as_ptr() as u64,
            k_bits.as_ptr() as u64,
            v_bits.as_ptr() as u64,
            o.as_mut_ptr() as u64,
        ];
        // SAFETY: the addresses are of matrices of this size.
        unsafe { plan.execute(handle, &plan.pack(at, 0).unwrap()) }.unwrap();
        for row in 0..heads * n {
            let (head, query) = (row / n, row % n);
            let of_row = |all: &'_ [f32], row: usize| all[row * size..][..size].to_vec();
            let keys = if causal { query + 1 } else { n };
            let weights: Vec<f32> = (0..keys)
                .map(|key| (0.5 * dot(&of_row(&q, row), &of_row(&k, head * n + key))).exp())
                .collect();
            for column in 0..size {
                let values: Vec<f32> =
                    (0..keys).map(|key| v[(head * n + key) * size + column]).collect();
                let expected = dot(&weights, &values) / weights.iter().sum::<f32>();
                let found = f32::from_bits(u32::from(o[row * size + column]) << 16);
                assert!(
                    (found - expected).abs() < 0.02,
                    "{causal} {row} {column}: {found}, not {expected}"
                );
            }
        }
        drop(graph);
        functions.close(handle);
    }
}
