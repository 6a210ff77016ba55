//! The files in a student's archive, in memory. What leads outside of it, or never ends, refuses all of it.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path};

use flate2::read::GzDecoder;

use super::clean;
use super::kept::{Kept, MOST_BYTES, MOST_FILES, Refused};

/// The most bytes that an archive may have, and that are unpacked of one.
const MOST_PACKED: u64 = 32 << 20;

/// How archives are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz` and `.tgz`.
    TarGz,
}

impl Kind {
    /// By the ending of a file's name.
    pub fn of(name: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let endings = [
            (".zip", Kind::Zip),
            (".tar", Kind::Tar),
            (".tar.gz", Kind::TarGz),
            (".tgz", Kind::TarGz),
        ];
        endings.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, kind)| kind)
    }
}

/// Puts the files of an archive into `kept`.
///
/// # Errors
/// Why nothing of it is taken.
pub fn unpack(file: &Path, kind: Kind, kept: &mut Kept) -> Result<(), Refused> {
    let broken = |error: io::Error| Refused(format!("the archive cannot be read: {error}"));
    let opened = File::open(file).map_err(broken)?;
    let bytes = opened.metadata().map_err(broken)?.len();
    if bytes > MOST_PACKED {
        return Err(format!("the archive is larger than {} MiB", MOST_PACKED >> 20).into());
    }
    let packed = BufReader::new(opened);
    kept.in_archive(|kept| match kind {
        Kind::Zip => unzip(packed, kept),
        Kind::Tar => untar(packed, kept),
        Kind::TarGz => untar(GzDecoder::new(packed), kept),
    })
}

fn unzip(packed: BufReader<File>, kept: &mut Kept) -> Result<(), Refused> {
    let broken =
        |error: zip::result::ZipError| Refused(format!("the archive cannot be read: {error}"));
    let mut archive = zip::ZipArchive::new(packed).map_err(broken)?;
    if archive.len() > MOST_FILES {
        return Err(format!("the archive has more than {MOST_FILES} files").into());
    }
    if archive.has_duplicate_names() {
        kept.note("a name is in the archive several times: the last one counts".to_owned());
    }
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        check_path(&name)?;
        if entry.is_symlink() {
            return Err(linked(&name));
        }
        if entry.is_file() {
            kept.add(&name, &mut entry)?;
        }
    }
    Ok(())
}

fn untar(packed: impl Read, kept: &mut Kept) -> Result<(), Refused> {
    let broken = |error: io::Error| Refused(format!("the archive cannot be read: {error}"));
    // What is unpacked, with all that is between the files.
    let mut archive = tar::Archive::new(packed.take(MOST_PACKED));
    for (place, entry) in archive.entries().map_err(broken)?.enumerate() {
        let mut entry = entry.map_err(broken)?;
        if place >= MOST_FILES {
            return Err(format!("the archive has more than {MOST_FILES} files").into());
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        check_path(&name)?;
        match entry.header().entry_type() {
            tar::EntryType::Regular | tar::EntryType::Continuous => kept.add(&name, &mut entry)?,
            tar::EntryType::Directory | tar::EntryType::XGlobalHeader | tar::EntryType::XHeader => {
            }
            tar::EntryType::Symlink | tar::EntryType::Link => return Err(linked(&name)),
            _ => {
                return Err(format!(
                    "the archive has `{}`, which is no ordinary file",
                    plain(&name)
                )
                .into());
            }
        }
    }
    Ok(())
}

fn linked(name: &str) -> Refused {
    Refused(format!("the archive has a link, `{}`; put the file itself there", plain(name)))
}

/// Refuses paths that lead out of the archive, on any system.
fn check_path(name: &str) -> Result<(), Refused> {
    let slashes = name.replace('\\', "/");
    let is_inside = Path::new(&slashes)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match is_inside && !slashes.contains(':') && !slashes.contains('\0') {
        true => Ok(()),
        false => {
            Err(format!("the archive has a path that leads out of it, `{}`", plain(name)).into())
        }
    }
}

/// A name as it can be shown.
fn plain(name: &str) -> String {
    clean::line(name).chars().take(80).collect()
}

const _: () = assert!(MOST_BYTES <= MOST_PACKED);

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn unpacked(name: &str, bytes: &[u8]) -> Result<Vec<(String, usize)>, Refused> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).expect("written");
        let mut kept = Kept::default();
        unpack(&file, Kind::of(name).expect("an archive"), &mut kept)?;
        Ok(kept.files.into_iter().map(|file| (file.path, file.bytes.len())).collect())
    }

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut to = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            to.start_file(*name, SimpleFileOptions::default()).expect("a file");
            to.write_all(bytes).expect("bytes");
        }
        to.finish().expect("an archive").into_inner()
    }

    fn tarred(files: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut to = tar::Builder::new(Vec::new());
        for (name, kind, bytes) in files {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(*kind);
            header.set_size(bytes.len() as u64);
            header.set_link_name("/etc/passwd").expect("a name");
            // The library would refuse what strangers write.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            to.append(&header, *bytes).expect("appended");
        }
        to.into_inner().expect("an archive")
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        to.write_all(bytes).expect("bytes");
        to.finish().expect("an archive")
    }

    const REGULAR: tar::EntryType = tar::EntryType::Regular;

    #[test]
    fn files_come_out_of_each_kind() {
        let expected = Ok(vec![("a/18.cu".to_owned(), 3)]);
        let zip = zipped(&[("a/18.cu", b"abc"), ("a/notes.pdf", b"?")]);
        assert_eq!(unpacked("x.ZIP", &zip), expected);
        let tar = tarred(&[("a/", tar::EntryType::Directory, b""), ("a/18.cu", REGULAR, b"abc")]);
        assert_eq!(unpacked("x.tar", &tar), expected);
        assert_eq!(unpacked("x.tgz", &gzipped(&tar)), expected);
    }

    #[test]
    fn of_several_with_the_same_name_the_last_one_counts() {
        let tar = tarred(&[("a/18.cu", REGULAR, b"first"), ("a/18.cu", REGULAR, b"the last")]);
        // The library would refuse to write what strangers write.
        let mut zip = zipped(&[("a/18.cu", b"first"), ("a/19.cu", b"the last")]);
        while let Some(place) = zip.windows(4).position(|four| four == b"19.c") {
            zip[place + 1] = b'8';
        }
        for (name, bytes) in [("x.tar", tar), ("x.zip", zip)] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join(name);
            std::fs::write(&file, bytes).expect("written");
            let mut kept = Kept::default();
            unpack(&file, Kind::of(name).expect("an archive"), &mut kept).expect("unpacked");
            let [only] = &kept.files[..] else { panic!("{name}: {:?}", kept.files) };
            assert_eq!((only.path.as_str(), &only.bytes[..]), ("a/18.cu", &b"the last"[..]));
            assert!(kept.notes[0].contains("the last one counts"), "{:?}", kept.notes);
        }
    }

    #[test]
    fn nothing_leads_outside() {
        for name in ["/etc/a.cu", "../a.cu", "a/../../a.cu", "..\\a.cu", "C:\\a.cu"] {
            for (kind, bytes) in [
                ("x.zip", zipped(&[(name, b"abc")])),
                ("x.tar", tarred(&[(name, REGULAR, b"abc")])),
            ] {
                let error = unpacked(kind, &bytes).expect_err(name);
                assert!(error.0.contains("leads out of it"), "{kind} {name}: {error}");
            }
        }
        for link in [tar::EntryType::Symlink, tar::EntryType::Link] {
            let error = unpacked("x.tar", &tarred(&[("18.cu", link, b"")])).expect_err("a link");
            assert!(error.0.contains("a link, `18.cu`"), "{error}");
        }
        let mut to = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        to.add_symlink("18.cu", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
        let error = unpacked("x.zip", &to.finish().expect("an archive").into_inner());
        assert!(error.expect_err("a link").0.contains("a link, `18.cu`"));
        let device = tarred(&[("18.cu", tar::EntryType::Char, b"")]);
        assert!(unpacked("x.tar", &device).expect_err("a device").0.contains("no ordinary file"));
    }

    #[test]
    fn what_never_ends_is_refused_early() {
        let zeros = vec![0; 33 << 20];
        let error = unpacked("x.zip", &zipped(&[("18.cu", &zeros)])).expect_err("a bomb");
        assert!(error.0.contains("too large"), "{error}");
        let long =
            tarred(&[("18.cu", tar::EntryType::GNULongName, &zeros), ("a.cu", REGULAR, b"")]);
        assert!(unpacked("x.tar.gz", &gzipped(&long)).is_err());
        let many: Vec<String> = (0..=MOST_FILES).map(|number| format!("{number}.cu")).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(unpacked("x.zip", &zipped(&many)).expect_err("many").0.contains("more than"));
    }

    #[test]
    fn what_is_no_archive_says_so() {
        for name in ["x.zip", "x.tar.gz"] {
            for bytes in [&b""[..], b"PK\x03\x04", b"no archive at all, but a text"] {
                let error = unpacked(name, bytes).expect_err(name);
                assert!(error.0.contains("cannot be read"), "{name}: {error}");
            }
        }
    }
}
