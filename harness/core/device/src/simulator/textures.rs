//! The simulator's arrays, objects and tensor maps.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use simt::model::End;
use simt::texture::{Sampler, Shape, Texels, Texture, TextureError};

use super::state::{Allocation, SimulatorDevice};
use crate::api::buffer::Buffer;
use crate::api::tensor::{Boxes, TensorMap};
use crate::api::texture::{Array, Object, TextureOf};
use crate::error::Error;

/// The simulator's half of an [`Array`].
struct OwnArray {
    array: simt::texture::Array,
    _memory: Allocation,
}

/// The simulator's half of an [`Object`].
struct Ended {
    simulator: Arc<simt::Simulator>,
    number: u64,
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.simulator.end_object(self.number);
    }
}

impl SimulatorDevice {
    fn texture_error(&self, error: TextureError) -> Error {
        match error {
            TextureError::Memory(error) => self.memory_error(error),
            other => other.into(),
        }
    }

    pub(super) fn new_array(&mut self, name: &str, shape: Shape) -> Result<Array, Error> {
        let made = self.simulator.alloc_array(name, shape);
        let array = made.map_err(|error| self.texture_error(error))?;
        let (simulator, address) = (self.simulator.clone(), array.address());
        let memory = Allocation { simulator, address, on_the_gpu: AtomicBool::new(true) };
        Ok(Array::new(name, shape, self.id, OwnArray { array, _memory: memory }))
    }

    pub(super) fn write_texels(&mut self, to: &Array, bytes: &[u8]) -> Result<(), Error> {
        let own: &OwnArray = to.for_copy(self.id, bytes.len())?;
        self.simulator
            .write_array(&own.array, [0; 3], to.shape().extent, bytes)
            .map_err(|error| self.texture_error(error))?;
        self.add_pageable_copy(End::Pageable, End::Device, bytes.len());
        Ok(())
    }

    pub(super) fn read_texels(&mut self, from: &Array, into: &mut [u8]) -> Result<(), Error> {
        let own: &OwnArray = from.for_copy(self.id, into.len())?;
        self.simulator
            .read_array(&own.array, [0; 3], from.shape().extent, into)
            .map_err(|error| self.texture_error(error))?;
        self.add_pageable_copy(End::Device, End::Pageable, into.len());
        Ok(())
    }

    pub(super) fn new_texture(&mut self, of: TextureOf, sampler: Sampler) -> Result<Object, Error> {
        let texels = match (of.linear(self.id)?, of) {
            (Some(texels), _) => texels,
            (None, TextureOf::Array(array)) => Texels::Array(array.get::<OwnArray>(self.id)?.array),
            (None, _) => return Err(Error::Foreign("a texture".to_string())),
        };
        let made = self.simulator.texture(&Texture { texels, sampler });
        self.object(made, of)
    }

    pub(super) fn new_surface(&mut self, array: &Array) -> Result<Object, Error> {
        let made = self.simulator.surface(&array.get::<OwnArray>(self.id)?.array);
        self.object(made, TextureOf::Array(array))
    }

    pub(super) fn new_tensor_map(
        &self,
        buffer: &Buffer,
        boxes: &Boxes,
    ) -> Result<TensorMap, Error> {
        let map = boxes.description(self.id, buffer)?.encode();
        TensorMap::new(bytemuck::cast(map), self.id, buffer)
    }

    fn object(&self, made: Result<u64, TextureError>, of: TextureOf) -> Result<Object, Error> {
        let number = made.map_err(|error| self.texture_error(error))?;
        let ended = Ended { simulator: self.simulator.clone(), number };
        Ok(Object::new(number, self.id, ended, of.keep()?))
    }
}
