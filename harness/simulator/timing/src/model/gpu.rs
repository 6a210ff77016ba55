//! A GPU as the time model sees it: its compute capability's data under its own.

use strsim::levenshtein;

use super::catalogue::{CAPABILITIES, GPUS};
use super::error::GpuError;
use super::figure::{
    Bus, Chip, Document, Engines, Figure, Latency, Limits, Memory, Start, Throughput,
};
use super::names::{having, nearest, plain};
use events::Coalescing;

/// A GPU: what all of its compute capability have in common, and what is its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// The vendor's name, for example `NVIDIA H200`.
    pub name: String,
    /// The compute capability, for example `9.0`.
    pub compute_capability: String,
    /// The capability whose data describes this one; the same unless that has none of its own.
    pub data_of: String,
    /// The architecture's name, for example `Hopper`.
    pub architecture: String,
    /// How requests to global memory are cut.
    pub coalescing: Coalescing,
    /// Whether single-precision division and square root round correctly and subnormal numbers are kept; before
    /// capability 2.0 they are short approximations.
    pub ieee_division: bool,
    /// The chip as a whole.
    pub chip: Chip,
    /// What may be resident on one multiprocessor.
    pub limits: Limits,
    /// Lanes or bytes per clock and multiprocessor, by kind of work.
    pub throughput: Throughput,
    /// Clocks from issue to use of the result, by kind of work.
    pub latency: Latency,
    /// Caches and banks.
    pub memory: Memory,
    /// What works beside the warps; none before compute capability 9.0.
    pub engines: Option<Engines>,
    /// What a launch costs.
    pub launch: Start,
    /// The bus between host and GPU.
    pub bus: Bus,
}

/// Texts at the top of a description.
const WORDS: [&str; 5] = ["name", "capability", "architecture", "coalescing", "ieee_division"];

/// The tables of a description and their keys.
const TABLES: [(&str, &[&str]); 8] = [
    (Chip::SECTION, Chip::KEYS),
    (Limits::SECTION, Limits::KEYS),
    (Throughput::SECTION, Throughput::KEYS),
    (Latency::SECTION, Latency::KEYS),
    (Memory::SECTION, Memory::KEYS),
    (Engines::SECTION, Engines::KEYS),
    (Start::SECTION, Start::KEYS),
    (Bus::SECTION, Bus::KEYS),
];

impl Gpu {
    /// The names of the GPUs that come with the program, oldest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        GPUS.iter().map(|(name, _)| *name)
    }

    /// The compute capabilities that have data, lowest first.
    pub fn capabilities() -> impl Iterator<Item = &'static str> {
        CAPABILITIES.iter().map(|(name, _)| *name)
    }

    /// The GPU called `name`, for example `h200`; capitals, blanks and hyphens do not matter, and a word such as `4090`
    /// will do where it is of one GPU, or of one besides laptops'. A compute capability such as `8.6` stands for the first
    /// named GPU that has it.
    ///
    /// # Errors
    /// An unknown name; the error lists the nearest known ones.
    pub fn named(name: &str) -> Result<Gpu, GpuError> {
        let wanted = plain(name);
        let of_name = GPUS.iter().find(|(known, _)| plain(known) == wanted);
        if let Some((known, text)) = of_name {
            return Gpu::resolve(Document::parse(&format!("gpus/{known}.toml"), text)?);
        }
        if Gpu::capabilities().any(|capability| capability == name.trim()) {
            for (known, text) in GPUS {
                let document = Document::parse(&format!("gpus/{known}.toml"), text)?;
                if document.word("capability")? == Some(name.trim()) {
                    return Gpu::resolve(document);
                }
            }
        }
        match *having(name) {
            [part] => Gpu::named(part),
            [] => Err(GpuError::Unknown { name: name.to_owned(), near: nearest(&wanted) }),
            ref several => {
                Err(GpuError::Several { name: name.to_owned(), found: several.join(", ") })
            }
        }
    }

    /// The GPU that a user names: as [`Gpu::named`] has it, or by a file that ends in `.toml`.
    ///
    /// # Errors
    /// As of [`Gpu::named`] and [`Gpu::read`].
    #[cfg(feature = "files")]
    pub fn find(name: &str) -> Result<Gpu, GpuError> {
        match Gpu::is_file(name) {
            true => Gpu::read(std::path::Path::new(name)),
            false => Gpu::named(name),
        }
    }

    /// Whether a name is that of a file.
    #[cfg(feature = "files")]
    pub fn is_file(name: &str) -> bool {
        let ending = std::path::Path::new(name).extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
    }

    /// A GPU described in a file of the user's: `name`, `capability` and a `[chip]` table, and whatever it overrides of
    /// its capability's data.
    ///
    /// # Errors
    /// A file that cannot be read, is no TOML, or has missing, impossible or unknown entries.
    #[cfg(feature = "files")]
    pub fn read(path: &std::path::Path) -> Result<Gpu, GpuError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| GpuError::Unreadable {
            file: file.clone(),
            message: error.to_string(),
        })?;
        Gpu::from_toml(&file, &text)
    }

    /// The same from a text; `file` names it in messages.
    ///
    /// # Errors
    /// As for [`Gpu::read`].
    pub fn from_toml(file: &str, text: &str) -> Result<Gpu, GpuError> {
        Gpu::resolve(Document::parse(file, text)?)
    }

    /// The architecture whose machine code stands for this GPU's, and whether it is the GPU's own. Older ones are
    /// modelled with sm_75's, the oldest that a disassembler of today reads.
    pub fn sass_arch(&self) -> (&'static str, bool) {
        let arch = match self.data_of.as_str() {
            "8.0" => "sm_80",
            "8.6" => "sm_86",
            "8.9" => "sm_89",
            "9.0" => "sm_90",
            "10.0" => "sm_100",
            "12.0" => "sm_120",
            _ => "sm_75",
        };
        let own = self.compute_capability.replace('.', "");
        (arch, arch.strip_prefix("sm_") == Some(&own))
    }

    /// Every figure: table, key, value and source.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, &'static str, &Figure)> {
        let in_table = |section| move |(key, figure)| (section, key, figure);
        (self.chip.figures().map(in_table(Chip::SECTION)))
            .chain(self.limits.figures().map(in_table(Limits::SECTION)))
            .chain(self.throughput.figures().map(in_table(Throughput::SECTION)))
            .chain(self.latency.figures().map(in_table(Latency::SECTION)))
            .chain(self.memory.figures().map(in_table(Memory::SECTION)))
            .chain(self.engines.iter().flat_map(Engines::figures).map(in_table(Engines::SECTION)))
            .chain(self.launch.figures().map(in_table(Start::SECTION)))
            .chain(self.bus.figures().map(in_table(Bus::SECTION)))
    }

    /// Lays a description over its capability's data.
    pub(super) fn resolve(document: Document) -> Result<Gpu, GpuError> {
        let capability = text(&[&document], "capability", "9.0")?;
        let base = capability_data(&document.file, &capability)?;
        check_keys(&document)?;
        let layers = [&document, &base];
        let coalescing = match text(&layers, "coalescing", "sectors")?.as_str() {
            "sectors" => Coalescing::Sectors,
            "lines" => Coalescing::Lines,
            "half warps" => Coalescing::HalfWarps,
            other => {
                return Err(one_of(&document, "coalescing", other, "sectors, lines, half warps"));
            }
        };
        let ieee_division = match word(&layers, "ieee_division")? {
            None | Some("yes") => true,
            Some("no") => false,
            Some(other) => return Err(one_of(&document, "ieee_division", other, "yes, no")),
        };
        Ok(Gpu {
            name: text(&[&document], "name", "My GPU")?,
            architecture: text(&layers, "architecture", "Hopper")?,
            coalescing,
            ieee_division,
            chip: Chip::read(&layers)?,
            limits: Limits::read(&layers)?,
            throughput: Throughput::read(&layers)?,
            latency: Latency::read(&layers)?,
            memory: Memory::read(&layers)?,
            engines: match layers.iter().any(|layer| layer.table.contains_key(Engines::SECTION)) {
                true => Some(Engines::read(&layers)?),
                false => None,
            },
            launch: Start::read(&layers)?,
            bus: Bus::read(&layers)?,
            compute_capability: capability.clone(),
            data_of: capability,
        })
    }
}

/// The data of a compute capability; `place` asked for it.
fn capability_data(place: &str, capability: &str) -> Result<Document, GpuError> {
    let found = CAPABILITIES.iter().find(|(known, _)| *known == capability);
    let (known, text) = found.ok_or_else(|| GpuError::UnknownCapability {
        place: place.to_owned(),
        capability: capability.to_owned(),
        known: Gpu::capabilities().collect::<Vec<_>>().join(", "),
    })?;
    Document::parse(&format!("gpus/capability/{known}.toml"), text)
}

/// A text of the first layer that has it.
fn word<'a>(layers: &[&'a Document], key: &'static str) -> Result<Option<&'a str>, GpuError> {
    for layer in layers {
        if let Some(text) = layer.word(key)? {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// A text that one of the layers must have.
fn text(
    layers: &[&Document],
    key: &'static str,
    example: &'static str,
) -> Result<String, GpuError> {
    let file = || layers.first().map_or_else(String::new, |layer| layer.file.clone());
    let found = word(layers, key)?.map(str::to_owned);
    found.ok_or_else(|| GpuError::NoText { file: file(), key, example })
}

fn one_of(document: &Document, key: &str, found: &str, possible: &str) -> GpuError {
    GpuError::UnknownKey {
        place: format!("{}: {key} = \"{found}\"", document.file),
        near: None,
        known: possible.to_owned(),
    }
}

/// Refuses tables and keys that mean nothing, so that a slip of the pen is not silently ignored.
fn check_keys(document: &Document) -> Result<(), GpuError> {
    let refuse = |place: String, found: &str, known: Vec<&'static str>| {
        let near = known.iter().copied().min_by_key(|key| levenshtein(found, key));
        let near = near.filter(|key| levenshtein(found, key) <= 3);
        Err(GpuError::UnknownKey { place, near, known: known.join(", ") })
    };
    for (name, value) in &document.table {
        let Some((_, keys)) = TABLES.iter().find(|(section, _)| section == name) else {
            if WORDS.contains(&name.as_str()) {
                continue;
            }
            let known = WORDS.into_iter().chain(TABLES.map(|(section, _)| section)).collect();
            return refuse(format!("{}: {name}", document.file), name, known);
        };
        for key in value.as_table().into_iter().flat_map(|table| table.keys()) {
            if !keys.contains(&key.as_str()) {
                return refuse(format!("{}: [{name}] {key}", document.file), key, keys.to_vec());
            }
        }
    }
    Ok(())
}
