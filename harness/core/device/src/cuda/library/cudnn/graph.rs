//! Attention as a graph of cuDNN's operations (its guide, "Graph API"). The library finds one kernel for all of them.

use std::ffi::c_int;

use super::functions::{Attribute, Descriptor, Functions, Object};
use crate::api::library::Attention;
use crate::error::Error;

/// `cudnnDataType_t`.
pub(super) const FLOAT: c_int = 0;
const INT32: c_int = 4;
pub(super) const BF16: c_int = 9;
pub(super) const BOOLEAN: c_int = 11;

/// `cudnnPointwiseMode_t`.
pub(super) const ADD: c_int = 0;
pub(super) const MULTIPLY: c_int = 1;
pub(super) const DIVIDE: c_int = 6;
pub(super) const SUBTRACT: c_int = 9;
pub(super) const EXPONENTIAL: c_int = 13;
pub(super) const LOGARITHM: c_int = 15;
pub(super) const IS_NOT_LESS: c_int = 303;
pub(super) const INDEX: c_int = 501;
pub(super) const SELECT: c_int = 601;

/// `cudnnReduceTensorOp_t`.
pub(super) const SUM: c_int = 0;
pub(super) const LARGEST: c_int = 3;

/// `cudnnBackendDescriptorType_t`.
pub(super) const POINTWISE: c_int = 0;
pub(super) const POINTWISE_OPERATION: c_int = 13;
pub(super) const GRAPH: c_int = 15;
pub(super) const TENSOR: c_int = 17;
pub(super) const PRODUCT: c_int = 18;
pub(super) const PRODUCT_OPERATION: c_int = 19;
pub(super) const REDUCTION: c_int = 21;
pub(super) const REDUCTION_OPERATION: c_int = 22;

/// `CUDNN_ATTR_…` of tensors.
const ALIGNMENT: Attribute<i64> = Attribute::new(900, INTEGER);
const ELEMENT: Attribute<c_int> = Attribute::new(901, ELEMENT_TYPE);
const SHAPE: Attribute<i64> = Attribute::new(902, INTEGER);
const STRIDES: Attribute<i64> = Attribute::new(903, INTEGER);
const NUMBER: Attribute<i64> = Attribute::new(906, INTEGER);
const IS_VIRTUAL: Attribute<bool> = Attribute::new(907, TRUTH);
const IS_VALUE: Attribute<bool> = Attribute::new(908, TRUTH);

/// The same of operations, and of what they do.
const MODE: Attribute<c_int> = Attribute::new(0, 14);
const PRECISION: Attribute<c_int> = Attribute::new(1, ELEMENT_TYPE);
const AXIS: Attribute<i64> = Attribute::new(9, INTEGER);
const DOES: Attribute<Object> = Attribute::new(750, DESCRIPTOR);
/// Up to three operands, and the result.
const OPERANDS: [Attribute<Object>; 3] = [
    Attribute::new(751, DESCRIPTOR),
    Attribute::new(752, DESCRIPTOR),
    Attribute::new(758, DESCRIPTOR),
];
const RESULT: Attribute<Object> = Attribute::new(753, DESCRIPTOR);
const PRODUCT_PRECISION: Attribute<c_int> = Attribute::new(1500, ELEMENT_TYPE);
const FACTORS: [Attribute<Object>; 2] =
    [Attribute::new(1520, DESCRIPTOR), Attribute::new(1521, DESCRIPTOR)];
const PRODUCT_RESULT: Attribute<Object> = Attribute::new(1522, DESCRIPTOR);
const MULTIPLIES: Attribute<Object> = Attribute::new(1523, DESCRIPTOR);
const REDUCTION_MODE: Attribute<c_int> = Attribute::new(1600, 18);
const REDUCTION_PRECISION: Attribute<c_int> = Attribute::new(1601, ELEMENT_TYPE);
const REDUCED: Attribute<Object> = Attribute::new(1610, DESCRIPTOR);
const REDUCTION_RESULT: Attribute<Object> = Attribute::new(1611, DESCRIPTOR);
const REDUCES: Attribute<Object> = Attribute::new(1612, DESCRIPTOR);

/// The same of graphs.
const HANDLE: Attribute<Object> = Attribute::new(800, 0);
const OPERATIONS: Attribute<Object> = Attribute::new(801, DESCRIPTOR);

/// `cudnnBackendAttributeType_t`.
const ELEMENT_TYPE: c_int = 1;
const TRUTH: c_int = 2;
const INTEGER: c_int = 3;
const DESCRIPTOR: c_int = 15;

/// Bytes that arrays are aligned to.
const ALIGNED_TO: i64 = 16;

/// Numbers of the tensors that the caller has: matrices, and two floats on the host. The last one is the score of a key that is
/// not seen.
pub(super) const Q: i64 = 1;
pub(super) const K: i64 = 2;
pub(super) const V: i64 = 3;
pub(super) const O: i64 = 4;
pub(super) const SCALE: i64 = 5;
pub(super) const UNSEEN: i64 = 6;

/// A graph that is complete.
pub(super) struct Graph {
    pub(super) of: Attention,
    pub(super) descriptor: Descriptor,
    _operations: Operations,
}

/// Operations, in order.
struct Operations {
    functions: &'static Functions,
    operations: Vec<Descriptor>,
    /// What they are made of: tensors, and what each does with them.
    parts: Vec<Descriptor>,
}

/// A tensor of a graph: its descriptor and shape.
#[derive(Clone, Copy)]
struct Tensor {
    object: Object,
    shape: [i64; 4],
}

impl Graph {
    /// O = softmax(scale · Q Kᵀ) V.
    pub(super) fn attention(
        functions: &'static Functions,
        handle: Object,
        of: &Attention,
    ) -> Result<Graph, Error> {
        let [n, heads, size] = of.extent.map(|it| it as i64);
        let mut graph = Operations { functions, operations: Vec::new(), parts: Vec::new() };
        let rows = [heads * n * size, n * size, size, 1];
        let columns = [heads * n * size, n * size, 1, size];
        let q = graph.array(Q, [1, heads, n, size], rows)?;
        let k = graph.array(K, [1, heads, size, n], columns)?;
        let v = graph.array(V, [1, heads, n, size], rows)?;
        let o = graph.array(O, [1, heads, n, size], rows)?;
        let scale = graph.number(SCALE)?;
        let scores = graph.temporary([1, heads, n, n], FLOAT)?;
        graph.product([q, k], scores)?;
        let mut scores = graph.pointwise(MULTIPLY, &[scores, scale], FLOAT)?;
        if of.causal {
            let unseen = graph.number(UNSEEN)?;
            let [query, key] = [graph.index(scores, 2)?, graph.index(scores, 3)?];
            let sees = graph.pointwise(IS_NOT_LESS, &[query, key], BOOLEAN)?;
            scores = graph.pointwise(SELECT, &[scores, unseen, sees], FLOAT)?;
        }
        let largest = graph.reduction(LARGEST, scores)?;
        let less = graph.pointwise(SUBTRACT, &[scores, largest], FLOAT)?;
        let powers = graph.pointwise(EXPONENTIAL, &[less], FLOAT)?;
        let sum = graph.reduction(SUM, powers)?;
        // Nobody reads the logarithm of the sum of exponentials, but the library knows attention by it.
        let logarithm = graph.pointwise(LOGARITHM, &[sum], FLOAT)?;
        graph.pointwise(ADD, &[largest, logarithm], FLOAT)?;
        let weights = graph.pointwise(DIVIDE, &[powers, sum], BF16)?;
        graph.product([weights, v], o)?;
        let operations: Vec<Object> = graph.operations.iter().map(|it| it.object).collect();
        let descriptor = Descriptor::new(functions, GRAPH)?
            .with(HANDLE, &[handle])?
            .with(OPERATIONS, &operations)?
            .finalized("the graph of attention for")?;
        Ok(Graph { of: *of, descriptor, _operations: graph })
    }
}

impl Operations {
    /// A tensor with the number of what the caller has, or one that passes from operation to operation.
    fn tensor(
        &mut self,
        (shape, strides): ([i64; 4], [i64; 4]),
        element: c_int,
        given: Option<i64>,
    ) -> Result<Tensor, Error> {
        let number = given.unwrap_or(UNSEEN + 1 + self.parts.len() as i64);
        let tensor = Descriptor::new(self.functions, TENSOR)?
            .with(ELEMENT, &[element])?
            .with(SHAPE, &shape)?
            .with(STRIDES, &strides)?
            .with(NUMBER, &[number])?
            .with(ALIGNMENT, &[ALIGNED_TO])?
            .with(IS_VIRTUAL, &[given.is_none()])?
            .with(IS_VALUE, &[matches!(number, SCALE | UNSEEN)])?
            .finalized("a tensor for")?;
        let object = tensor.object;
        self.parts.push(tensor);
        Ok(Tensor { object, shape })
    }

    /// An array of BF16.
    fn array(&mut self, number: i64, shape: [i64; 4], strides: [i64; 4]) -> Result<Tensor, Error> {
        self.tensor((shape, strides), BF16, Some(number))
    }

    /// A float on the host.
    fn number(&mut self, number: i64) -> Result<Tensor, Error> {
        self.tensor(([1; 4], [1; 4]), FLOAT, Some(number))
    }

    /// What an operation makes for another one.
    fn temporary(&mut self, shape: [i64; 4], element: c_int) -> Result<Tensor, Error> {
        let [_, heads, rows, columns] = shape;
        let strides = [heads * rows * columns, rows * columns, columns, 1];
        self.tensor((shape, strides), element, None)
    }

    /// A product of matrices for each head.
    fn product(&mut self, factors: [Tensor; 2], result: Tensor) -> Result<(), Error> {
        let kind = Descriptor::new(self.functions, PRODUCT)?
            .with(PRODUCT_PRECISION, &[FLOAT])?
            .finalized("a product for")?;
        let operation = Descriptor::new(self.functions, PRODUCT_OPERATION)?
            .with(FACTORS[0], &[factors[0].object])?
            .with(FACTORS[1], &[factors[1].object])?
            .with(PRODUCT_RESULT, &[result.object])?
            .with(MULTIPLIES, &[kind.object])?
            .finalized("a product for")?;
        self.keep(kind, operation);
        Ok(())
    }

    /// An operation for each element; an operand of one element or one column is repeated.
    fn pointwise(
        &mut self,
        mode: c_int,
        operands: &[Tensor],
        element: c_int,
    ) -> Result<Tensor, Error> {
        let precision = if element == BOOLEAN { BOOLEAN } else { FLOAT };
        let kind = Descriptor::new(self.functions, POINTWISE)?
            .with(MODE, &[mode])?
            .with(PRECISION, &[precision])?
            .finalized("an operation for")?;
        self.each(kind, operands, element)
    }

    /// The place of each element along an axis.
    fn index(&mut self, of: Tensor, axis: i64) -> Result<Tensor, Error> {
        let kind = Descriptor::new(self.functions, POINTWISE)?
            .with(MODE, &[INDEX])?
            .with(PRECISION, &[FLOAT])?
            .with(AXIS, &[axis])?
            .finalized("an index for")?;
        self.each(kind, &[of], INT32)
    }

    fn each(
        &mut self,
        kind: Descriptor,
        operands: &[Tensor],
        element: c_int,
    ) -> Result<Tensor, Error> {
        let result = self.temporary(operands[0].shape, element)?;
        let mut operation =
            Descriptor::new(self.functions, POINTWISE_OPERATION)?.with(DOES, &[kind.object])?;
        for (attribute, operand) in OPERANDS.into_iter().zip(operands) {
            operation = operation.with(attribute, &[operand.object])?;
        }
        let operation = operation.with(RESULT, &[result.object])?.finalized("an operation for")?;
        self.keep(kind, operation);
        Ok(result)
    }

    /// One element for each row.
    fn reduction(&mut self, mode: c_int, of: Tensor) -> Result<Tensor, Error> {
        let [batches, heads, rows, _] = of.shape;
        let result = self.temporary([batches, heads, rows, 1], FLOAT)?;
        let kind = Descriptor::new(self.functions, REDUCTION)?
            .with(REDUCTION_MODE, &[mode])?
            .with(REDUCTION_PRECISION, &[FLOAT])?
            .finalized("a reduction for")?;
        let operation = Descriptor::new(self.functions, REDUCTION_OPERATION)?
            .with(REDUCED, &[of.object])?
            .with(REDUCTION_RESULT, &[result.object])?
            .with(REDUCES, &[kind.object])?
            .finalized("a reduction for")?;
        self.keep(kind, operation);
        Ok(result)
    }

    fn keep(&mut self, kind: Descriptor, operation: Descriptor) {
        self.parts.push(kind);
        self.operations.push(operation);
    }
}
