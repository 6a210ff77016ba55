//! Reads sources from files: a step's in `kernels/`, a reader's own, any program's.

use std::fs;
use std::path::{Path, PathBuf};

use super::{ANY_GPU, Source};
use crate::error::Error;
use crate::include::{Include, read};
use crate::ptx::{self, Ptx};
use crate::rust;

/// How the name of a step's committed machine code ends.
pub(crate) const MACHINE_CODE: &str = ".sass.json";

impl Source {
    /// Reads a step's code: `<dir>/<cuda_stem>.cu`, `<dir>/<step>.ptx` and `<dir>/<step>.sm_*.ptx`, of which the PTX may
    /// be missing. `dir` is `kernels/<ladder>`.
    pub fn from_kernels(
        dir: &Path,
        step: &str,
        cuda_stem: &str,
        options: &[&str],
    ) -> Result<Source, Error> {
        let ladder = dir.file_name().unwrap_or_default().to_string_lossy();
        let cuda = committed(&dir.join(format!("{cuda_stem}.cu")))?;
        let cuda_name = format!("/kernels/{ladder}/{cuda_stem}.cu");
        let file = cuda_name.trim_start_matches('/').to_string();
        let includes = Include::all(&file, &cuda, &[dir])?;
        let newer = format!("{step}.sm_");
        let mut files: Vec<String> = fs::read_dir(dir)
            .map_err(|source| Error::Read { path: dir.to_path_buf(), source })?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|file| {
                *file == format!("{step}.ptx") || file.starts_with(&newer) && file.ends_with(".ptx")
            })
            .collect();
        // "05-rsqrt.ptx" sorts before "05-rsqrt.sm_90.ptx".
        files.sort();
        let ptx = files
            .into_iter()
            .map(|file| {
                let text = committed(&dir.join(&file))?;
                Ok(Ptx { file, text })
            })
            .collect::<Result<_, Error>>()?;
        Ok(Source {
            name: format!("{ladder}/{step}"),
            file,
            cuda: Some(cuda),
            includes,
            cuda_name,
            options: options.iter().map(ToString::to_string).collect(),
            folders: Vec::new(),
            is_readers: false,
            needs: ANY_GPU,
            ptx,
            machine: read(&dir.join(format!("{step}{}", MACHINE_CODE))).ok(),
        })
    }

    /// Reads the code of a step in Rust: `<dir>/<step>.rs` and the PTX that was made from it, which is compiled again where the
    /// file was changed since. `dir` is `kernels/<ladder>`.
    ///
    /// # Errors
    /// The files cannot be read, or the changed file cannot be compiled.
    pub fn in_rust(dir: &Path, step: &str) -> Result<Source, Error> {
        let ladder = dir.file_name().unwrap_or_default().to_string_lossy();
        let path = dir.join(format!("{step}.rs"));
        let text = committed(&path)?.replace("\r\n", "\n");
        let file = format!("{step}{}", ptx::EVERY_GPU.ending);
        let made = read(&dir.join(&file)).ok().filter(|ptx| rust::check(&text, ptx).is_ok());
        let ptx = match made {
            Some(text) => Ptx { file, text },
            None => Ptx { file: format!("{step}.rs as compiled"), text: rust::ptx(&path)? },
        };
        let cuda_name = format!("/kernels/{ladder}/{step}.rs");
        let file = cuda_name.trim_start_matches('/').to_string();
        Ok(Source {
            name: format!("{ladder}/{step}"),
            includes: vec![Include { name: cuda_name.clone(), file: file.clone(), text }],
            file,
            cuda_name,
            needs: ANY_GPU,
            ptx: vec![ptx],
            machine: read(&dir.join(format!("{step}{}", MACHINE_CODE))).ok(),
            ..Source::default()
        })
    }

    /// Reads a reader's own `.cu`, `.ptx` or `.rs`. With a `.cu` go the `.ptx` and the machine code of the same name beside it, if
    /// there are such: they are used while they hold the digest of the `.cu`.
    pub fn from_file(path: &Path, options: &[&str]) -> Result<Source, Error> {
        Source::own(path, options, None)
    }

    /// Reads a reader's own file that runs in the place of another, as of a step: what it includes and is not next to it is
    /// that of the other's folder, `dir`.
    pub fn replacing(path: &Path, options: &[&str], dir: &Path) -> Result<Source, Error> {
        Source::own(path, options, Some(dir))
    }

    /// Reads any CUDA program's `.cu` or `.ptx`: the compiler may read what it includes from the file's folder, from `folders`
    /// and from CUDA's own headers, and messages call it as `path` does. Next to a `.ptx` its `.cu` is looked for, to show
    /// its lines.
    ///
    /// # Errors
    /// As [`Source::from_file`].
    pub fn foreign(path: &Path, options: &[&str], folders: &[PathBuf]) -> Result<Source, Error> {
        let own = path.parent().unwrap_or(path);
        let absolute = |folder: &Path| {
            // An empty path is the current folder.
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            std::path::absolute(folder)
                .map_err(|source| Error::Read { path: folder.to_path_buf(), source })
        };
        let mut source = Source::read(path, options, |_, text| Include::some(text, own))?;
        let folders = [own].into_iter().chain(folders.iter().map(PathBuf::as_path));
        source.folders = folders.map(absolute).collect::<Result<_, Error>>()?;
        source.name = source.file.clone();
        if source.cuda.is_none() {
            source.includes = ptx::sources(&source.ptx[0].text, own);
            source.ptx[0].file = source.file.clone();
        }
        Ok(source)
    }

    fn own(path: &Path, options: &[&str], dir: Option<&Path>) -> Result<Source, Error> {
        let beside = path.parent().unwrap_or(path);
        let folders: Vec<&Path> = [beside].into_iter().chain(dir).collect();
        Source::read(path, options, |file, text| Include::all(file, text, &folders))
    }

    /// Reads a reader's own file; `includes` finds what its text includes.
    fn read(
        path: &Path,
        options: &[&str],
        includes: impl Fn(&str, &str) -> Result<Vec<Include>, Error>,
    ) -> Result<Source, Error> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let is = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        let (cuda, ptx) = if is("cu") {
            let beside = path.with_extension("ptx");
            let file = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ptx = read(&beside).map(|text| Ptx { file, text });
            (Some(read(path)?), ptx.into_iter().collect())
        } else if is("ptx") {
            let text = read(path)?;
            let file = file.to_string();
            (None, vec![Ptx { file, text }])
        } else if is("rs") {
            let (text, file) = (rust::ptx(path)?, format!("{file} as compiled"));
            (None, vec![Ptx { file, text }])
        } else {
            return Err(Error::NotAKernel(path.to_path_buf()));
        };
        let includes = includes(&path.display().to_string(), cuda.as_deref().unwrap_or_default())?;
        Ok(Source {
            name: file.to_string(),
            file: path.display().to_string(),
            cuda,
            includes,
            cuda_name: compiled_name(&file),
            options: options.iter().map(ToString::to_string).collect(),
            folders: Vec::new(),
            is_readers: true,
            needs: ANY_GPU,
            ptx,
            machine: read(&path.with_extension("sass.json")).ok(),
        })
    }
}

/// The name under which a reader's own file is compiled. Compilers write it into PTX, where a quote or a line end
/// in it would end its string.
fn compiled_name(file: &str) -> String {
    format!("/kernels/{}", file.replace(|c: char| c.is_control() || matches!(c, '"' | '\\'), "_"))
}

/// The text of a file that every clone has.
fn committed(path: &Path) -> Result<String, Error> {
    read(path).map_err(|error| Error::Unavailable {
        what: error.to_string(),
        remedy: "bring it back: git restore kernels".to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("toy");
        fs::create_dir(&dir).unwrap();
        for (file, text) in [
            ("01-a.cu", "source"),
            ("01-a.sm_90.ptx", "newer"),
            ("01-a.ptx", "older"),
            ("01-a-b.ptx", "another step's"),
        ] {
            fs::write(dir.join(file), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_step_reads_its_own_files_only() {
        let folder = folder();
        let dir = folder.path().join("toy");
        let source = Source::from_kernels(&dir, "01-a", "01-a", &["--x"]).unwrap();
        assert_eq!(source.name, "toy/01-a");
        assert_eq!(source.cuda_name, "/kernels/toy/01-a.cu");
        assert_eq!(source.cuda.as_deref(), Some("source"));
        assert_eq!(source.options, ["--x"]);
        let files: Vec<_> = source.ptx.iter().map(|p| (&*p.file, &*p.text)).collect();
        assert_eq!(files, [("01-a.ptx", "older"), ("01-a.sm_90.ptx", "newer")]);
    }

    #[test]
    fn a_step_may_share_anothers_source() {
        let folder = folder();
        let source =
            Source::from_kernels(&folder.path().join("toy"), "02-fast", "01-a", &[]).unwrap();
        assert_eq!(source.cuda_name, "/kernels/toy/01-a.cu");
        assert!(source.ptx.is_empty());
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = folder();
        let error = Source::from_kernels(&folder.path().join("toy"), "03-c", "03-c", &[]);
        assert!(error.unwrap_err().to_string().contains("03-c.cu"));
        let error = Source::from_file(&folder.path().join("notes.txt"), &[]).unwrap_err();
        assert!(matches!(error, Error::NotAKernel(_)));
    }

    #[test]
    fn included_files_go_with_the_source() {
        let folder = folder();
        let dir = folder.path().join("toy");
        fs::write(dir.join("ring.cuh"), "int ring;\r\n").unwrap();
        fs::write(dir.join("04-d.cu"), "#include \"ring.cuh\"\n").unwrap();
        let source = Source::from_kernels(&dir, "04-d", "04-d", &[]).unwrap();
        assert_eq!(source.text(), "#include \"ring.cuh\"\n// included: ring.cuh\nint ring;\n");
        assert_eq!(source.compiled_name(&source.includes[0]), "/kernels/toy/ring.cuh");
        // A copy elsewhere finds the ladder's.
        let mine = folder.path().join("mine.cu");
        fs::copy(dir.join("04-d.cu"), &mine).unwrap();
        assert!(Source::from_file(&mine, &[]).unwrap_err().to_string().contains("ring.cuh"));
        let copy = Source::replacing(&mine, &[], &dir).unwrap();
        assert_eq!(copy.includes, source.includes);
        assert_eq!(copy.compiled_name(&copy.includes[0]), "/kernels/ring.cuh");
        let known = |name| copy.file(name).map(|(file, _)| file.to_string());
        assert_eq!(known("/kernels/mine.cu"), Some(mine.display().to_string()));
        assert_eq!(known("/kernels/ring.cuh").as_deref(), Some(&*copy.includes[0].file));
        assert_eq!(known("/kernels/other.cu"), None);
    }

    #[test]
    fn a_foreign_program_may_include_any_file_and_is_called_as_it_was_given() {
        let folder = folder();
        let dir = folder.path().join("toy");
        fs::write(dir.join("ring.cuh"), "#include <cuda_fp16.h>\n").unwrap();
        let text = "#include \"ring.cuh\"\n#include \"util/a.h\"\n#include \"none.cuh\"\n";
        let path = dir.join("mine.cu");
        fs::write(&path, text).unwrap();
        let source = Source::foreign(&path, &["-DN=1"], &[dir.join("more")]).unwrap();
        assert_eq!(
            source.includes.len(),
            1,
            "the compiler finds the others, or says that it does not"
        );
        assert_eq!(source.folders, [dir.clone(), dir.join("more")]);
        assert_eq!(source.as_given("at /kernels/mine.cu:3"), format!("at {}:3", path.display()));
        let given = format!("{}:1", source.includes[0].file);
        assert_eq!(source.as_given("/kernels/ring.cuh:1"), given);
    }

    #[test]
    fn the_cuda_source_next_to_ptx_is_shown() {
        let folder = folder();
        let dir = folder.path().join("toy");
        let ptx =
            ".version 8.0\n.target sm_80\n.file 1 \"/far/away/01-a.cu\"\n.file 2 \"/far/b.h\"\n";
        fs::write(dir.join("mine.ptx"), ptx).unwrap();
        let source = Source::foreign(&dir.join("mine.ptx"), &[], &[]).unwrap();
        let beside = dir.join("01-a.cu").display().to_string();
        assert_eq!(source.file("/far/away/01-a.cu"), Some((&*beside, "source")));
        assert_eq!(source.file("/far/b.h"), None);
        assert_eq!(source.as_given("(/far/away/01-a.cu:3)"), format!("({beside}:3)"));
        assert_eq!(source.ptx[0].file, dir.join("mine.ptx").display().to_string());
    }

    #[test]
    fn an_unchanged_copy_has_what_was_made_from_its_original() {
        let folder = folder();
        let dir = folder.path().join("toy");
        let step = Source::from_kernels(&dir, "01-a", "01-a", &["--x"]).unwrap();
        let mine = folder.path().join("mine.cu");
        let read = |text: &str, options: &[&str]| {
            fs::write(&mine, text).unwrap();
            Source::replacing(&mine, options, &dir).unwrap().or_unchanged(&step)
        };
        let copy = read("source", &["--x"]);
        assert_eq!((&copy.ptx, &copy.cuda_name), (&step.ptx, &step.cuda_name));
        assert_eq!(copy.file, mine.display().to_string());
        assert!(read("source ", &["--x"]).ptx.is_empty());
        assert!(read("source", &[]).ptx.is_empty());
    }

    #[test]
    fn a_file_is_taken_by_its_ending() {
        let dir = folder();
        let cuda = Source::from_file(&dir.path().join("toy/01-a.cu"), &[]).unwrap();
        assert_eq!(cuda.cuda.as_deref(), Some("source"));
        assert_eq!(cuda.ptx[0].text, "older", "that beside it");
        fs::write(dir.path().join("alone.cu"), "source").unwrap();
        let alone = Source::from_file(&dir.path().join("alone.cu"), &[]).unwrap();
        assert!(alone.ptx.is_empty());
        let ptx = Source::from_file(&dir.path().join("toy/01-a.ptx"), &[]).unwrap();
        assert_eq!(ptx.cuda, None);
        assert_eq!(ptx.ptx[0].text, "older");
    }
}
