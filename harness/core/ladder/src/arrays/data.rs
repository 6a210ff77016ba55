//! Named arrays, and what is expected of those that kernels write.

use std::sync::Arc;

use bytemuck::Pod;
use device::Argument;
use device::texture::{Format, Sampler, Shape};

use super::expected::Expected;
use super::judge::Judge;
use super::residues::Residues;
use super::values::Values;

/// Dimensions of data: [columns, rows, planes], or [elements, 1, 1].
pub type Extent = [u64; 3];

/// The arrays and constants of a problem.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// The arrays.
    pub arrays: Vec<Array>,
    /// `__constant__` variables as name and bytes. They are set in steps whose kernels declare them.
    pub constants: Vec<(&'static str, Vec<u8>)>,
    /// Numbers by name, which kernels get as they are ([`KernelArgument::Scalar`](super::KernelArgument::Scalar)).
    pub scalars: Vec<(&'static str, Argument<'static>)>,
}

/// An array in a GPU's memory.
#[derive(Debug, Clone)]
pub struct Array {
    /// Its name in calls and messages.
    pub name: &'static str,
    /// Whether kernels read or write it.
    pub role: Role,
    /// How texture and surface objects see it. `None` if kernels use only its pointer.
    pub texels: Option<Texels>,
    /// The output whose only element says how many elements of this one count, from the first; none where all do.
    pub counted_by: Option<&'static str>,
    /// How many of the first elements no kernel may write.
    pub unwritten: usize,
    /// What an output holds before a pass, where kernels read it too. `None`: poison.
    pub initial: Option<Values>,
    /// Finds a wrong element of an output of which only some are compared.
    pub residues: Option<Arc<dyn Residues>>,
}

impl Array {
    /// An array whose elements kernels know only by its pointer, and may read or write as its role says.
    pub fn new(name: &'static str, role: Role) -> Array {
        Array {
            name,
            role,
            texels: None,
            counted_by: None,
            unwritten: 0,
            initial: None,
            residues: None,
        }
    }
}

/// How texture and surface objects see an array.
#[derive(Debug, Clone, Copy)]
pub enum Texels {
    /// Linear memory. It has an address, and kernels can also fetch its elements with `tex1Dfetch`.
    Linear(Format),
    /// A CUDA array, which has no address. Kernels sample it, or access it through a surface.
    Array(Shape, Sampler),
}

/// What an array is for.
#[derive(Debug, Clone)]
pub enum Role {
    /// Kernels read it. It must be unchanged after a pass.
    Input(Values),
    /// Kernels write it. The expected values and their judge. Steps that compute different outputs name their own
    /// in their calls.
    Output(Expected, Judge),
    /// Scratch memory between launches, in bytes. It is poisoned before a pass.
    Scratch(usize),
}

impl Data {
    /// An array that kernels read.
    #[must_use]
    pub fn input(self, name: &'static str, values: impl Into<Values>) -> Data {
        self.with(name, Role::Input(values.into()))
    }

    /// An array that kernels write.
    #[must_use]
    pub fn output(self, name: &'static str, expected: impl Into<Values>, judge: Judge) -> Data {
        self.with(name, Role::Output(Expected::all(expected), judge))
    }

    /// An array of `count` elements that kernels write, of which some are compared: those `at` these places, of which the
    /// reference is computed. The others must be written, where elements are floats.
    ///
    /// # Panics
    /// As [`Expected::some`]; or the elements may be in any order, so that none has a place.
    #[must_use]
    pub fn sampled_output(
        self,
        name: &'static str,
        count: usize,
        (at, expected): (Vec<usize>, impl Into<Values>),
        judge: Judge,
    ) -> Data {
        assert!(!matches!(judge, Judge::InAnyOrder), "an element has its place");
        self.with(name, Role::Output(Expected::some(count, at, expected), judge))
    }

    /// Scratch memory between launches.
    #[must_use]
    pub fn scratch(self, name: &'static str, bytes: usize) -> Data {
        self.with(name, Role::Scratch(bytes))
    }

    /// Gives kernels texture and surface objects of the array that was added last.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn as_texels(mut self, texels: Texels) -> Data {
        self.arrays.last_mut().expect("an array comes first").texels = Some(texels);
        self
    }

    /// Only as many elements of the array before count as another output says, which is one `u32`.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn counted_by(mut self, output: &'static str) -> Data {
        self.arrays.last_mut().expect("an array comes first").counted_by = Some(output);
        self
    }

    /// No kernel may write the first elements of the array before; whatever is expected there counts for nothing.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn with_unwritten(mut self, first: usize) -> Data {
        self.arrays.last_mut().expect("an array comes first").unwritten = first;
        self
    }

    /// The array before, an output, holds these values before a pass: kernels read them too.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn holding(mut self, values: impl Into<Values>) -> Data {
        self.arrays.last_mut().expect("an array comes first").initial = Some(values.into());
        self
    }

    /// Residues tell whether the elements of the array before that are not compared are right.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn with_residues(mut self, residues: Arc<dyn Residues>) -> Data {
        self.arrays.last_mut().expect("an array comes first").residues = Some(residues);
        self
    }

    /// A number that kernels get by value.
    #[must_use]
    pub fn scalar(mut self, name: &'static str, value: impl Into<Argument<'static>>) -> Data {
        self.scalars.push((name, value.into()));
        self
    }

    /// A `__constant__` variable of those steps whose kernels declare it.
    #[must_use]
    pub fn constant<T: Pod>(mut self, name: &'static str, values: &[T]) -> Data {
        self.constants.push((name, bytemuck::cast_slice(values).to_vec()));
        self
    }

    fn with(mut self, name: &'static str, role: Role) -> Data {
        self.arrays.push(Array::new(name, role));
        self
    }
}

impl Role {
    /// Bytes of the array.
    pub fn bytes(&self) -> usize {
        match self {
            Role::Input(values) => values.bytes().len(),
            Role::Output(expected, _) => expected.bytes(),
            Role::Scratch(bytes) => *bytes,
        }
    }
}
