//! The descriptions that come with the crate, each by its file's name.

/// Includes files of a folder by their names; a test holds the list against the folder.
macro_rules! include_files {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../gpus/", $folder, $name, ".toml")))),*]
    };
}

/// Compute capabilities: what all GPUs of one have in common.
pub(super) const CAPABILITIES: &[(&str, &str)] = include_files!("capability/":
    "1.3" "2.0" "3.0" "5.0" "5.2" "6.0" "6.1" "7.0" "7.5" "8.0" "8.6" "8.9" "9.0" "10.0" "12.0");

/// Named GPUs, oldest first.
pub(super) const GPUS: &[(&str, &str)] = include_files!("":
    "quadro-fx-5800" "tesla-c2050" "gtx-680" "gtx-750-ti" "gtx-980" "p100" "gtx-1080" "v100" "t4" "a100" "rtx-3080"
    "rtx-3060" "a10" "rtx-4090" "h100" "rtx-4070" "l4" "rtx-4060" "h200" "b200" "rtx-5090" "rtx-5070" "mx450" "gtx-1650-laptop" "rtx-3050-laptop" "rtx-3060-laptop"
    "rtx-4050-laptop" "rtx-4060-laptop" "rtx-4070-laptop");

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the .toml files in a folder below `gpus/`.
    fn files(folder: &str) -> Vec<String> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../timing/gpus/").to_owned() + folder;
        let mut names: Vec<_> = std::fs::read_dir(path)
            .unwrap()
            .filter_map(|entry| {
                Some(entry.unwrap().file_name().to_str()?.strip_suffix(".toml")?.to_owned())
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn every_file_of_the_folders_is_included() {
        for (folder, list) in [("capability", CAPABILITIES), ("", GPUS)] {
            let mut included: Vec<_> = list.iter().map(|(name, _)| (*name).to_owned()).collect();
            included.sort();
            assert_eq!(included, files(folder), "gpus/{folder} against model/catalogue.rs");
        }
    }
}
