//! The PTX that is committed of a source: made by a compiler, and compared with the source without one.

use super::header::{Header, Mismatch, digest};
use crate::compiler::Compiler;
use crate::error::Error;
use crate::include::Include;
use crate::nvrtc::Compiled;
use crate::source::Source;
use crate::{headers, standard};

/// All options with which a step is compiled for `target` ("compute_50", "sm_90"): everyone's, then its own.
pub(crate) fn options(source: &Source, target: &str) -> Vec<String> {
    let mut options = vec![format!("--gpu-architecture={target}"), "-lineinfo".to_string()];
    options.extend(source.options.iter().cloned());
    options
}

/// Compiles a source with the files that it includes.
///
/// # Errors
/// [`Error::Skipped`] where there is only PTX; [`Error::Compile`] with the compiler's words.
pub(crate) fn compile(
    source: &Source,
    compiler: Compiler,
    options: &[String],
) -> Result<Compiled, Error> {
    let Some(cuda) = &source.cuda else {
        return Err(Error::Skipped {
            reason: format!("{} has no .cu to compile", source.name),
            remedy: "name the .cu".to_string(),
        });
    };
    let asks = source.asks_for_headers() || !source.folders.is_empty();
    let readable = |text: &str| if asks { standard::named(text) } else { text.to_owned() };
    // The compiler would put a folder before a header's name.
    let header = |include: &Include| {
        let line = format!("#line 1 \"{}\"\n", source.compiled_name(include));
        (include.name.clone(), line + &readable(&include.text))
    };
    let mut headers: Vec<(String, String)> = source.includes.iter().map(header).collect();
    let mut options = options.to_vec();
    if source.is_readers && options.iter().all(|option| !option.starts_with("--std")) {
        options.push(DIALECT.to_owned());
    }
    if asks {
        headers.extend(standard::headers());
        options.extend(search_options(source, compiler));
    }
    let text = readable(&cuda.replace("\r\n", "\n"));
    compiler.compile_with(&source.cuda_name, &text, &headers, &options)
}

/// The language of a reader's file that asks for no other; committed code has that of its pinned compiler.
const DIALECT: &str = "--std=c++17";

/// The folders in which the compiler may look for what a program includes.
fn search_options(source: &Source, compiler: Compiler) -> Vec<String> {
    let cuda = match compiler {
        Compiler::Nvrtc(nvrtc) => headers::suited(headers::installed(), nvrtc.version()),
        // It has headers of its own.
        Compiler::Clang(_) => None,
    };
    let folders = source.folders.iter().chain(cuda.iter().flat_map(|headers| &headers.folders));
    folders.map(|folder| format!("--include-path={}", folder.display())).collect()
}

/// The text of the PTX file to commit for `target` ("compute_50"): the header, then what the compiler writes.
pub fn generate<'c>(
    source: &Source,
    compiler: impl Into<Compiler<'c>>,
    target: &str,
) -> Result<String, Error> {
    let compiler = compiler.into();
    let options = options(source, target);
    let compiled = compile(source, compiler, &options)?;
    let compiler = compiler.named(&compiled.version);
    let header = Header {
        digest: digest(&compiler, &options, &source.text()),
        source: source.cuda_name.trim_start_matches('/').to_string(),
        options,
        compiler,
    };
    Ok(format!("{header}{}", compiled.ptx))
}

/// Whether `ptx` was made from this source, its options and the compiler that it names. Needs no compiler.
pub fn check(source: &Source, ptx: &str) -> Result<(), Mismatch> {
    let header = Header::parse(ptx).ok_or(Mismatch::NoHeader)?;
    let target = header.target().ok_or(Mismatch::NoHeader)?;
    if digest(&header.compiler, &options(source, target), &source.text()) == header.digest {
        Ok(())
    } else {
        Err(Mismatch::Changed)
    }
}

/// The PTX of a copy of a source, without a compiler: `ptx` is that of `original`, of which the copy has another name and
/// other comments, none of them longer or shorter by a line. A difference that a compiler would see is not noticed.
///
/// # Errors
/// [`Mismatch`]: `ptx` is not that of `original` as it is now.
pub fn of_copy(original: &Source, ptx: &str, copy: &Source) -> Result<String, Mismatch> {
    check(original, ptx)?;
    let header = Header::parse(ptx).ok_or(Mismatch::NoHeader)?;
    let code = ptx.lines().skip(header.to_string().lines().count());
    let digest = digest(&header.compiler, &header.options, &copy.text());
    let source = copy.cuda_name.trim_start_matches('/').to_string();
    let header = Header { digest, source, ..header };
    let renamed = code.map(|line| line.replace(&original.cuda_name, &copy.cuda_name) + "\n");
    Ok(header.to_string() + &renamed.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        Source {
            name: "toy/01".to_string(),
            file: "kernels/toy/01.cu".to_string(),
            cuda: Some("a\nb\n".to_string()),
            cuda_name: "/kernels/toy/01.cu".to_string(),
            options: vec!["--use_fast_math".to_string()],
            ..Source::default()
        }
    }

    /// `printf 'NVRTC 11.8.89\n--gpu-architecture=compute_50 -lineinfo --use_fast_math\na\nb\n' | sha256sum`
    const DIGEST: &str = "83ce7322425626ec5ac27ba0347814ab65f2cbc211a98db5e0b3b84e16e40fb9";

    fn text() -> String {
        format!(
            "// digest sha256:{DIGEST}\n// source kernels/toy/01.cu\n// options --gpu-architecture=compute_50 -lineinfo --use_fast_math\n// compiler NVRTC 11.8.89\n.version 7.8\n"
        )
    }

    #[test]
    fn the_digest_is_the_one_that_sha256sum_prints() {
        let options = options(&source(), "compute_50");
        assert_eq!(digest("NVRTC 11.8.89", &options, "a\nb\n"), DIGEST);
        assert_eq!(digest("NVRTC 11.8.89", &options, "a\r\nb\r\n"), DIGEST);
    }

    #[test]
    fn a_header_survives_the_round_trip() {
        let header = Header::parse(&text()).unwrap();
        assert_eq!(header.target(), Some("compute_50"));
        assert!(text().starts_with(&header.to_string()));
    }

    #[test]
    fn any_change_shows() {
        assert_eq!(check(&source(), &text()), Ok(()));
        let mut edited = source();
        edited.cuda = Some("a\nc\n".to_string());
        assert_eq!(check(&edited, &text()), Err(Mismatch::Changed));
        let mut including = source();
        including.includes.push(Include {
            name: "ring.cuh".to_string(),
            file: "kernels/toy/ring.cuh".to_string(),
            text: "c\n".to_string(),
        });
        assert_eq!(check(&including, &text()), Err(Mismatch::Changed));
        let mut other = source();
        other.options.clear();
        assert_eq!(check(&other, &text()), Err(Mismatch::Changed));
        for (from, to) in [("compute_50", "compute_60"), ("11.8.89", "12.4.127")] {
            let forged = text().replace(from, to);
            assert_eq!(check(&source(), &forged), Err(Mismatch::Changed), "{to}");
        }
    }

    #[test]
    fn a_copy_has_the_ptx_of_its_original_under_its_own_name() {
        let code = ".version 7.8\n\t.file\t1 \"/kernels/toy/01.cu\"\n";
        let ptx = text().replace(".version 7.8\n", code);
        let mut copy = source();
        copy.cuda_name = "/kernels/toy/02.cu".to_string();
        copy.cuda = Some("a\nb\n// c\n".to_string());
        let made = of_copy(&source(), &ptx, &copy).expect("its PTX");
        assert_eq!(check(&copy, &made), Ok(()));
        assert!(made.contains("// source kernels/toy/02.cu\n"), "{made}");
        assert!(made.ends_with(".version 7.8\n\t.file\t1 \"/kernels/toy/02.cu\"\n"), "{made}");
        assert_eq!(of_copy(&copy, &ptx, &source()), Err(Mismatch::Changed));
    }

    #[test]
    fn ptx_without_a_header_is_told_apart() {
        assert_eq!(check(&source(), ".version 7.8\n"), Err(Mismatch::NoHeader));
        let shifted = format!("\n{}", text());
        assert_eq!(check(&source(), &shifted), Err(Mismatch::NoHeader));
    }
}
