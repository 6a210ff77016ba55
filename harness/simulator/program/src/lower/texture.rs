//! Texture and surface objects: `tex`, `tld4`, `txq`, `suld`, `sust`, `suq`.

use super::builder::{Builder, Result};
use super::names::Meaning;
use super::opcode::WORD;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};
use textures::Geometry;

const FLOAT: Type = Type { kind: Kind::Float, bits: 32 };
const HALF: Type = Type { kind: Kind::Bits, bits: 16 };
const OBJECT: Type = Type { kind: Kind::Bits, bits: 64 };

/// The supported instructions, for messages.
const SAMPLES: &str = "the simulator supports tex, tex.level, tex.grad and tld4 of .1d, .2d, .3d, .a1d, .a2d, .cube and .acube \
                       with .v4 results of .f32, .s32, .u32 or .f16 (.v2 of .f16x2) and .f32 or .s32 coordinates, \
                       also with offsets, without depth comparison";
const ACCESSES: &str = "the simulator supports suld.b and sust.b of .1d, .2d, .3d, .a1d and .a2d with .b8 to .b64, and \
                        sust.p of .b32";

fn geometry(word: &str) -> Option<Geometry> {
    use Geometry::*;
    [Row, Plane, Space, Rows, Planes, Cube, Cubes].into_iter().find(|g| g.name() == word)
}

/// Coordinates of a geometry, and whether the first is a layer.
fn coordinates(geometry: Geometry) -> (usize, bool) {
    match geometry {
        Geometry::Row => (1, false),
        Geometry::Plane => (2, false),
        Geometry::Space | Geometry::Cube => (3, false),
        Geometry::Rows => (2, true),
        Geometry::Planes => (3, true),
        Geometry::Cubes => (4, true),
    }
}

/// `{a, b}`, or a single operand without braces.
fn parts_of(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Vector(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

impl Builder<'_> {
    /// `None` for other instructions.
    pub(super) fn texture(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let (texturing, d, object, class) = match parts.as_slice() {
            ["tex", "level", rest @ ..] => self.sample(i, rest, None, 1)?,
            ["tex", "grad", rest @ ..] => self.sample(i, rest, None, 2)?,
            ["tex", rest @ ..] => self.sample(i, rest, None, 0)?,
            ["tld4", component, rest @ ..] => {
                let Some(component) = ["r", "g", "b", "a"].iter().position(|c| c == component)
                else {
                    return self.lacks_of(i, SAMPLES);
                };
                self.sample(i, rest, Some(component as u8), 0)?
            }
            ["txq", rest @ ..] => self.query(i, rest, Texturing::AskTexture)?,
            ["suq", rest @ ..] => self.query(i, rest, Texturing::AskSurface)?,
            ["suld", "b", rest @ ..] => self.surface(i, rest, SurfaceData::Load)?,
            ["sust", "b", rest @ ..] => self.surface(i, rest, SurfaceData::Store)?,
            ["sust", "p", rest @ ..] => self.surface(i, rest, SurfaceData::StoreFormatted)?,
            _ => return Ok(None),
        };
        self.emit(Operation::Texture(texturing), d, [object, 0, 0, 0])?;
        Ok(Some(class))
    }

    fn lacks_of<T>(&self, i: &Instruction, there_is: &str) -> Result<T> {
        self.lacks(format!("unsupported instruction `{}`: {there_is}", i.opcode))
    }

    /// `tex.geometry.v4.type.coordinates d, [object, {x, y}]`, and `further` operands for the level of detail.
    fn sample(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        gathers: Option<u8>,
        further: usize,
    ) -> Result<(Texturing, u16, u16, Class)> {
        let [of, vector, outcome, place] = modifiers else { return self.lacks_of(i, SAMPLES) };
        let outcome = match (*vector, *outcome) {
            ("v4", "f32" | "s32" | "u32") => Outcome::Words,
            ("v4", "f16") => Outcome::Halves,
            ("v2", "f16x2") => Outcome::Pairs,
            _ => return self.lacks_of(i, SAMPLES),
        };
        let (Some(geometry), "f32" | "s32") = (geometry(of), *place) else {
            return self.lacks_of(i, SAMPLES);
        };
        let whole = *place == "s32";
        let is_flat = matches!(geometry, Geometry::Row | Geometry::Rows | Geometry::Space);
        let is_cube = matches!(geometry, Geometry::Cube | Geometry::Cubes);
        if whole && (is_cube || gathers.is_some()) || is_flat && gathers.is_some() {
            return self.error(format!("there is no `{}`", i.opcode));
        }
        // An offset is a vector or a number. A depth to compare with follows it.
        let more = i.operands.get(2 + further..).unwrap_or_default();
        let offsets = match more {
            [] => None,
            [offsets] if !is_cube => Some(offsets),
            _ => return self.lacks_of(i, SAMPLES),
        };
        self.arity(i, 2 + further + usize::from(offsets.is_some()))?;
        let Operand::Object(name, rest) = &i.operands[1] else { return self.no_object(i) };
        let (sampler, rest) = match rest.as_slice() {
            [rest] => (None, rest),
            [Operand::Name(sampler), rest] => (Some(self.object(sampler)?), rest),
            _ => return self.no_object(i),
        };
        let object = self.object(name)?;
        let coordinates = self.coordinates(i, geometry, rest, if whole { WORD } else { FLOAT })?;
        let offsets = offsets.map(|it| self.offsets(i, geometry, it)).transpose()?;
        let detail = match &i.operands[2..2 + further] {
            [level] => Detail::Given(self.source(level, FLOAT)?),
            [x, y] => {
                Detail::Gradients([self.gradient(i, geometry, x)?, self.gradient(i, geometry, y)?])
            }
            _ => Detail::None,
        };
        let (count, element) = match outcome {
            Outcome::Words => (4, WORD),
            Outcome::Halves => (4, HALF),
            Outcome::Pairs => (2, WORD),
        };
        let data = self.results(i, count, element)?;
        self.program.samples.push(Sample {
            coordinates,
            whole,
            gathers,
            sampler,
            detail,
            offsets,
            outcome,
            data,
        });
        let index = self.program.samples.len() as u32 - 1;
        Ok((Texturing::Sample(index), 0, object, Class::LoadGlobal))
    }

    /// Registers of a gradient, one for each axis; 0 for missing axes.
    fn gradient(
        &mut self,
        i: &Instruction,
        geometry: Geometry,
        operand: &Operand,
    ) -> Result<[u16; 3]> {
        let (coordinates, layered) = coordinates(geometry);
        let wanted = coordinates - usize::from(layered);
        let parts = parts_of(operand);
        if parts.len() < wanted {
            return self.error(format!(
                "`{}` needs gradients along {wanted} axes, found {}",
                i.opcode,
                parts.len()
            ));
        }
        let zero = self.constant(File::Words, Constant::Bits(0))?;
        let mut registers = [zero; 3];
        for (register, part) in registers.iter_mut().zip(&parts[..wanted]) {
            *register = self.source(part, FLOAT)?;
        }
        Ok(registers)
    }

    /// Registers of offsets, one for each axis, in a vector of 1, 2 or 4.
    fn offsets(
        &mut self,
        i: &Instruction,
        geometry: Geometry,
        operand: &Operand,
    ) -> Result<[u16; 3]> {
        let (coordinates, layered) = coordinates(geometry);
        let wanted = coordinates - usize::from(layered);
        let parts = parts_of(operand);
        if parts.len() != wanted.next_power_of_two() {
            return self.error(format!(
                "`{}` needs offsets along {wanted} axes, found {}",
                i.opcode,
                parts.len()
            ));
        }
        let mut registers = [0; 3];
        for (register, part) in registers.iter_mut().zip(&parts[..wanted]) {
            *register = self.source(part, WORD)?;
        }
        // Missing axes have the register of the first, which is not used.
        let first = registers[0];
        registers[wanted..].fill(first);
        Ok(registers)
    }

    fn no_object<T>(&self, i: &Instruction) -> Result<T> {
        self.error(format!(
            "`{}` needs an object and coordinates such as `[%rd1, {{%f1, %f2}}]`",
            i.opcode
        ))
    }

    /// The registers of a result.
    fn results(&mut self, i: &Instruction, count: usize, element: Type) -> Result<[u16; 4]> {
        let operand = &i.operands[0];
        let parts = parts_of(operand);
        if parts.len() != count {
            return self.error(format!(
                "`{}` needs {count} registers, found {}",
                i.opcode,
                parts.len()
            ));
        }
        let mut data = [0; 4];
        for (register, part) in data.iter_mut().zip(parts) {
            *register = self.destination(part, element)?;
        }
        Ok(data)
    }

    /// The register that holds an object: one of 64 bits, or that of a `.texref` or `.surfref` variable.
    fn object(&mut self, name: &str) -> Result<u16> {
        match self.meaning(name)? {
            Meaning::Global(_, index) if self.file.variables[index as usize].bytes == 8 => {
                self.constant(File::Doubles, Constant::Held(index))
            }
            Meaning::Register(_) => self.source(&Operand::Name(name.to_string()), OBJECT),
            _ => self.error(format!(
                "`{name}` is not a texture or surface object: a register of 64 bits or a `.texref`, \
                 `.surfref` or `.samplerref` of the module is needed"
            )),
        }
    }

    fn coordinates(
        &mut self,
        i: &Instruction,
        geometry: Geometry,
        operand: &Operand,
        element: Type,
    ) -> Result<Coordinates> {
        let (wanted, layered) = coordinates(geometry);
        let parts = parts_of(operand);
        if parts.len() < wanted {
            return self.error(format!(
                "`{}` needs {wanted} coordinates, found {}",
                i.opcode,
                parts.len()
            ));
        }
        let mut registers = [0; 4];
        for (k, part) in parts[..wanted].iter().enumerate() {
            registers[k] = self.source(part, if layered && k == 0 { WORD } else { element })?;
        }
        Ok(Coordinates { geometry, registers })
    }

    /// `txq.width.b32 d, [object]`.
    fn query(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        ask: fn(Query) -> Texturing,
    ) -> Result<(Texturing, u16, u16, Class)> {
        let query = match modifiers {
            ["width", "b32"] => Query::Width,
            ["height", "b32"] => Query::Height,
            ["depth", "b32"] => Query::Depth,
            ["array_size", "b32"] => Query::ArraySize,
            ["num_mipmap_levels", "b32"] => Query::Levels,
            ["num_samples", "b32"] => Query::Samples,
            _ => {
                return self.lacks_of(
                    i,
                    "the simulator supports .width, .height, .depth, .array_size, .num_mipmap_levels and .num_samples",
                );
            }
        };
        self.arity(i, 2)?;
        let Operand::Address { base: Some(name), plus: 0 } = &i.operands[1] else {
            return self.error(format!("`{}` needs an object such as `[%rd1]`", i.opcode));
        };
        let object = self.object(name)?;
        let d = self.destination(&i.operands[0], WORD)?;
        Ok((ask(query), d, object, Class::LoadConst))
    }

    /// `suld.b.geometry.v2.b32.trap d, [object, {x, y}]` and `sust.b.geometry.v2.b32.trap [object, {x, y}], {a, b}`.
    fn surface(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        what: SurfaceData,
    ) -> Result<(Texturing, u16, u16, Class)> {
        let kept = |word: &&&str| !["ca", "cg", "cs", "cv", "wb", "wt"].contains(*word);
        let modifiers: Vec<&str> = modifiers.iter().filter(kept).copied().collect();
        let (of, count, element, outside) = match modifiers.as_slice() {
            [of, "v2", element, outside] => (of, 2, element, outside),
            [of, "v4", element, outside] => (of, 4, element, outside),
            [of, element, outside] => (of, 1, element, outside),
            _ => return self.lacks_of(i, ACCESSES),
        };
        let outside = match *outside {
            "trap" => Outside::Trap,
            "clamp" => Outside::Clamp,
            "zero" => Outside::Zero,
            _ => return self.lacks_of(i, ACCESSES),
        };
        let element =
            Type::parse(element).filter(|t| t.bits >= 8 && u64::from(t.bytes()) * count <= 16);
        let geometry = geometry(of).filter(|g| !matches!(g, Geometry::Cube | Geometry::Cubes));
        let (Some(element), Some(geometry)) = (element, geometry) else {
            return self.lacks_of(i, ACCESSES);
        };
        if what == SurfaceData::StoreFormatted && element.bits != 32 {
            return self.lacks_of(i, ACCESSES);
        }
        self.arity(i, 2)?;
        let stores = what != SurfaceData::Load;
        let [first, second] = [&i.operands[0], &i.operands[1]];
        let (target, values) = if stores { (first, second) } else { (second, first) };
        let Operand::Object(name, rest) = target else { return self.no_object(i) };
        let [rest] = rest.as_slice() else { return self.no_object(i) };
        let object = self.object(name)?;
        let coordinates = self.coordinates(i, geometry, rest, WORD)?;
        let element = Type { kind: Kind::Bits, ..element };
        let data = if stores {
            let parts = parts_of(values);
            if parts.len() as u64 != count {
                return self.error(format!(
                    "`{}` needs {count} values, found {}",
                    i.opcode,
                    parts.len()
                ));
            }
            self.sources(parts, &[element; 4])?
        } else {
            self.results(i, count as usize, element)?
        };
        self.program.surfaces.push(SurfaceAccess {
            what,
            coordinates,
            outside,
            bytes: element.bytes().into(),
            count: count as u8,
            file: super::registers::file_of(element),
            data,
        });
        let index = self.program.surfaces.len() as u32 - 1;
        let class = if stores { Class::StoreGlobal } else { Class::LoadGlobal };
        Ok((Texturing::Surface(index), 0, object, class))
    }
}
