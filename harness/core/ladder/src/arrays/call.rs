//! What a pass does with arrays: launches with their arguments, calls of a library.

use device::{Argument, Boxes, Error, Precision};

use super::data::{Data, Extent, Role};
use crate::step::Launch;

/// One operation of a pass.
#[derive(Debug, Clone)]
pub enum Call {
    /// Launches a kernel.
    Launch(Launch, Vec<KernelArgument>),
    /// Launches a kernel cooperatively: all blocks are resident, so that they may wait for each other.
    Together(Launch, Vec<KernelArgument>),
    /// Sets every byte of an array.
    Fill(&'static str, u8),
    /// Calls a function of CUB for so many elements, with these arrays.
    Cub(u64, &'static [&'static str]),
    /// Calls cuBLAS for a product of matrices.
    Cublas(Product),
    /// Calls cuDNN for attention.
    Cudnn(Attention),
}

/// C = α A B + β C, by names of the data: see [`device::Product`].
#[derive(Debug, Clone, Copy)]
pub struct Product {
    /// m, n and k.
    pub sizes: [u64; 3],
    /// α and β, numbers of the data.
    pub factors: [&'static str; 2],
    /// A, B and C.
    pub matrices: [&'static str; 3],
    /// How they are multiplied.
    pub precision: Precision,
}

/// O = softmax(scale · Q Kᵀ) V of BF16, by names of the data: see [`device::Attention`].
#[derive(Debug, Clone, Copy)]
pub struct Attention {
    /// Queries and keys, heads, and elements of a row.
    pub extent: Extent,
    /// Numbers of the data: whether there is a causal mask, an `i32`, and the factor of the scores.
    pub causal: &'static str,
    /// Name of the number of the data that the scores are multiplied by.
    pub scale: &'static str,
    /// Q, K, V and O.
    pub matrices: [&'static str; 4],
}

impl Call {
    /// The names of the arrays that it uses.
    pub(super) fn arrays(&self) -> Vec<&'static str> {
        match self {
            Call::Fill(name, _) => vec![name],
            Call::Cub(_, names) => names.to_vec(),
            Call::Cublas(product) => product.matrices.to_vec(),
            Call::Cudnn(attention) => attention.matrices.to_vec(),
            Call::Launch(_, given) | Call::Together(_, given) => {
                let name = |it: &KernelArgument| match *it {
                    KernelArgument::Array(name)
                    | KernelArgument::Texture(name)
                    | KernelArgument::Surface(name)
                    | KernelArgument::TensorMap(name, _) => Some(name),
                    KernelArgument::Scalar(_) | KernelArgument::Value(_) => None,
                };
                given.iter().filter_map(name).collect()
            }
        }
    }

    /// What it launches, if that is a kernel.
    pub(super) fn launch(&self) -> Option<&Launch> {
        match self {
            Call::Launch(launch, _) | Call::Together(launch, _) => Some(launch),
            Call::Fill(..) | Call::Cub(..) | Call::Cublas(_) | Call::Cudnn(_) => None,
        }
    }

    /// The tensor maps among its arguments, with the names of their arrays.
    pub(super) fn maps(&self) -> impl Iterator<Item = (&'static str, Boxes)> {
        let given = match self {
            Call::Launch(_, given) | Call::Together(_, given) => &given[..],
            Call::Fill(..) | Call::Cub(..) | Call::Cublas(_) | Call::Cudnn(_) => &[],
        };
        given.iter().filter_map(|it| match *it {
            KernelArgument::TensorMap(name, boxes) => Some((name, boxes)),
            _ => None,
        })
    }
}

/// Whether the data have what the calls name, and these an output: else nothing would be judged.
pub(super) fn check_names(data: &Data, calls: &[Call]) -> Result<(), Error> {
    let names: Vec<&str> = data.arrays.iter().map(|array| array.name).collect();
    let mut used = calls.iter().flat_map(Call::arrays);
    if let Some(unknown) = used.find(|name| !names.contains(name)) {
        let all = names.join(", ");
        return Err(Error::Fault(format!(
            "the problem's `calls` name an array `{unknown}`, and its `data` have {all}"
        )));
    }
    let is_judged = data.arrays.iter().any(|array| {
        matches!(array.role, Role::Output(..))
            && calls.iter().any(|call| call.arrays().contains(&array.name))
    });
    if !is_judged {
        let why = "the problem's `calls` name no output of its `data`: nothing would be judged";
        return Err(Error::Fault(why.to_owned()));
    }
    Ok(())
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub enum KernelArgument {
    /// A pointer to the array of that name.
    Array(&'static str),
    /// The texture object of the array of that name.
    Texture(&'static str),
    /// The surface object of the array of that name.
    Surface(&'static str),
    /// A tensor map of the array of that name: the boxes in which the kernel copies it.
    TensorMap(&'static str, Boxes),
    /// The number of that name in the data ([`Data::scalar`](super::Data::scalar)).
    Scalar(&'static str),
    /// A value.
    Value(Argument<'static>),
}

impl From<&'static str> for KernelArgument {
    fn from(array: &'static str) -> KernelArgument {
        KernelArgument::Array(array)
    }
}

macro_rules! value_arguments {
    ($($type:ty),*) => {
        $(impl From<$type> for KernelArgument {
            fn from(value: $type) -> KernelArgument {
                KernelArgument::Value(value.into())
            }
        })*
    };
}

value_arguments!(i32, u32, i64, u64, f32, f64);

#[cfg(test)]
mod tests {
    use super::super::Judge;
    use super::*;

    #[test]
    fn calls_name_what_the_data_have_and_an_output_among_it() {
        let data = Data::default().input("x", vec![1.0f32]);
        let data = data.output("out", vec![1.0f32], Judge::Exactly);
        let checked = |names: [&'static str; 2]| {
            let given = names.map(KernelArgument::Array).to_vec();
            check_names(&data, &[Call::Launch(Launch::row("k", 1, 32), given)])
                .map_err(|error| error.to_string())
        };
        assert_eq!(checked(["x", "out"]), Ok(()));
        let unknown = checked(["b", "out"]).expect_err("no array `b`");
        assert!(unknown.contains("`b`") && unknown.contains("x, out"), "{unknown}");
        assert!(checked(["x", "x"]).expect_err("no output").contains("no output"));
    }
}
