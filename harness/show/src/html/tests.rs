//! Pages of reports made up for the purpose.

use super::{page, write_all};
use crate::against::Against;
use crate::plot;
use crate::synthetic::{self, GPU, row, timed};
use ::report::{Outcome, Report, Suspect};

fn of(report: &Report) -> String {
    page(report, None, &plot::of(report)).unwrap()
}

/// Elements that have no end tag in HTML.
const VOID: [&str; 1] = ["meta"];

/// Every tag in order, with its attributes; panics where they are not nested.
fn tags(page: &str) -> Vec<String> {
    let (mut tags, mut open) = (Vec::new(), Vec::new());
    // The style is text, not markup.
    let (start, rest) = page.split_once("<style>").unwrap();
    let page = format!("{start}<style>{}", &rest[rest.find("</style>").unwrap()..]);
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("an open `<{piece}`"));
        let name = tag.split_whitespace().next().unwrap().trim_end_matches('/');
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "an end without a start");
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
        tags.push(tag.to_owned());
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    tags
}

#[test]
fn a_page_holds_what_the_report_says() {
    let page = of(&synthetic::sweep());
    for wanted in [
        "MEASURED",
        "GPU &lt;A&amp;B&gt;",
        "580.95.05",
        "A processor",
        "2026-11-20 · revision 0123456789ab",
        "8 rows: 8 measured",
        "what 07-unroll changes",
        "NVRTC 13.0, sm_90",
        "no difference",
        "the GPU lowered its clocks: power cap: 03-soa at n = 131\u{2009}072 (2)",
        "26.2\u{2009}GB/s",
        "of issue",
        "detour: tried and not kept",
        "error (rms) 2.0e-7 of 1.0e-5 allowed at n = 131\u{2009}072",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("MODELLED"));
}

/// It has no step with its own blocks, and yet something was timed.
#[test]
fn a_sweep_over_blocks_has_its_own_message() {
    let page = of(&synthetic::blocks());
    let message = "06-shared-blocking is fastest with 256 threads a block, 07-unroll with 128";
    assert!(page.contains(&format!("<h1>{message}</h1>")), "{page}");
    assert!(!page.contains("no step was timed") && !page.contains("The ladder"));
}

#[test]
fn a_page_needs_nothing_else() {
    for report in [synthetic::sweep(), synthetic::blocks(), synthetic::report(vec![], true)] {
        let page = of(&report);
        let tags = tags(&page);
        for tag in &tags {
            let name = tag.split_whitespace().next().unwrap();
            assert!(
                !["script", "link", "img", "iframe", "object", "base"].contains(&name),
                "{tag}"
            );
            for attribute in ["src=", "onload", "onclick", "http-equiv"] {
                assert!(!tag.contains(attribute), "{tag}");
            }
            if let Some((_, target)) = tag.split_once(" href=\"") {
                let id = target.split_once('"').unwrap().0.strip_prefix('#').expect("a place here");
                let places = tags.iter().filter(|tag| tag.contains(&format!(" id=\"{id}\"")));
                assert_eq!(places.count(), 1, "#{id}");
            }
        }
        let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        assert!(!style.contains("url(") && !style.contains("@import") && !style.contains('<'));
    }
}

#[test]
fn a_page_can_be_read_by_ear_and_by_keyboard() {
    let page = of(&synthetic::sweep());
    let tags = tags(&page);
    let all = |name: &str| -> Vec<&String> {
        tags.iter().filter(|tag| tag.split_whitespace().next() == Some(name)).collect()
    };
    assert_eq!((all("h1").len(), all("main").len()), (1, 1));
    assert!(all("h2").len() >= 8 && all("html")[0].contains("lang=\"en\""));
    assert!(all("th").iter().all(|head| head.contains("scope=")));
    let svgs = all("svg");
    assert!(svgs.len() == 6 && svgs.iter().all(|svg| svg.contains("role=\"img\"")));
    assert_eq!(page.matches("<desc>").count(), 6);
    for table in all("table") {
        assert!(table.contains("aria-label=\""), "{table}");
    }
    let boxes = all("div").into_iter().filter(|tag| tag.contains("class=\"scroll\""));
    assert!(boxes.clone().count() > all("table").len());
    assert!(
        boxes.into_iter().all(|tag| tag.contains("tabindex=\"0\"") && tag.contains("aria-label"))
    );
}

/// Names and reasons come from a file that anyone may have written.
#[test]
fn hostile_texts_stay_texts() {
    const EVIL: &str = "</style></svg></title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{0}&lt;]]>-->";
    let mut report = synthetic::sweep();
    report.date = EVIL.to_owned();
    report.revision = Some(EVIL.to_owned());
    report.machine.cpu = Some(EVIL.to_owned());
    report.options.ladder = EVIL.to_owned();
    report.options.steps = vec![EVIL.to_owned()];
    let device = report.device.as_mut().unwrap();
    device.name = EVIL.to_owned();
    device.driver_version = Some(EVIL.to_owned());
    for (at, row) in report.rows.iter_mut().enumerate() {
        row.step = format!("{at}{EVIL}");
        row.title = EVIL.to_owned();
        row.changes = EVIL.to_owned();
        row.after = Some(EVIL.to_owned());
        row.reason = Some(EVIL.to_owned());
        row.code = Some(EVIL.to_owned());
        row.occupancy.as_mut().unwrap().limit = EVIL.to_owned();
        let limits = row.limits.as_mut().unwrap();
        limits.gpu = EVIL.to_owned();
        limits.bounds[0].name = EVIL.to_owned();
        let reason = EVIL.to_owned();
        row.timed[0].samples.suspects = vec![Suspect { sample: u32::MAX, reason }];
    }
    report.rows[1].outcome = Outcome::Wrong;
    let page = of(&report);
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/').split_whitespace().next().unwrap().to_owned();
        assert!(!["script", "img"].contains(&name.as_str()), "{tag}");
        assert!(!tag.contains("onerror=alert(2)") || tag.contains("aria-label="), "{tag}");
    }
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn unverified_rows_have_a_reason_and_no_time() {
    let mut report = synthetic::sweep();
    let own = report.rows[7].timed[0].seconds;
    report.rows[7].outcome = Outcome::Wrong;
    report.rows[7].reason = Some("worst body 7".to_owned());
    let page = of(&report);
    assert!(page.contains("worst body 7") && page.contains("7 measured, 1 wrong"));
    let time = crate::table::figures::time(Some(own));
    assert!(!page.contains(&time), "{time}");
}

#[test]
fn odd_reports_have_pages() {
    let skipped = |step: &str| row(step, None, Outcome::Skipped);
    let mut modelled = timed("01-one", None, 1000, 1e-3);
    modelled.outcome = Outcome::Simulated;
    modelled.time_source = Some(device::TimeSource::Model);
    let mut silent = skipped("02-none");
    silent.reason = None;
    for rows in [vec![], vec![skipped("01-one"), silent], vec![modelled]] {
        let mut report = synthetic::report(rows, true);
        tags(&of(&report));
        report.device = None;
        report.revision = None;
        let page = of(&report);
        tags(&page);
        assert!(page.contains("none could be opened") && !page.contains("NaN"), "{page}");
    }
    let blocks = of(&synthetic::blocks());
    assert!(blocks.contains("Threads a block") && blocks.contains("1024 threads"));
    assert!(
        !blocks.contains("id=\"limits\"")
            && blocks.contains("&lt;A&amp;B&gt;")
            && !blocks.contains(GPU)
    );
}

#[test]
fn limits_of_a_cpu_are_told_in_its_own_words() {
    let page = of(&synthetic::host());
    tags(&page);
    assert!(page.contains("Limits of the CPU") && page.contains("not counted"), "{page}");
    for word in ["MUFU", "PCIe", "warps resident", "DRAM"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    assert!(!of(&synthetic::sweep()).contains("Limits of the CPU"));
}

#[test]
fn accuracy_is_told_in_a_picture_and_in_words() {
    let page = of(&synthetic::accuracies());
    tags(&page);
    for wanted in [
        "id=\"accuracy\">Accuracy</h2>",
        "14-pairs is the fastest with an error of at most 1e-6: 58.0 TFLOP/s</title>",
        "Speed and error at n = 10\u{2009}000, by the relative error (rms) against f64: of at most",
        "16-tensor-distances: 4000·10⁹ interactions per second, 80.0 TFLOP/s at 20 operations an \
         interaction, relative error 3.0e-6, in front.",
    ] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    assert!(!of(&synthetic::blocks()).contains("id=\"accuracy\""));
}

/// A GPU's report with that of a CPU.
#[test]
fn a_page_shows_a_gpu_against_a_cpu() {
    let gpu = synthetic::sweep();
    let lines = crate::published::committed().unwrap();
    let against = Against::of(&gpu, &synthetic::host(), &lines).unwrap().unwrap();
    let mut plots = plot::of(&gpu);
    plots.push(plot::against(&against));
    let page = page(&gpu, Some(&against), &plots).unwrap();
    tags(&page);
    for wanted in [
        "id=\"against-cpu\">Against a CPU</h2>",
        "aria-label=\"GPU against CPU\"",
        "<small>best CPU step</small>",
        "CPU, 32 threads",
        "1/72.4 on Quadro FX 5800 (CC 1.3), n = 10\u{2009}000, slide 28",
        "One CPU thread: 01-c-loop, 1 thread (the tutorial&apos;s loop).",
        "and from cpu/report.json",
    ] {
        assert!(page.contains(&wanted.replace("&apos;", "'")), "{wanted}: {page}");
    }
    assert_eq!(page.matches("<desc>").count(), 7);
    let alone = of(&gpu);
    assert!(!alone.contains("against-cpu") && !alone.contains("cpu/report.json"));

    // Drawn without the CPU's report, it loses the picture of it.
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("against-cpu.svg");
    write_all(&gpu, Some(&against), folder.path()).unwrap();
    assert!(picture.is_file());
    write_all(&gpu, None, folder.path()).unwrap();
    assert!(!picture.exists());
}

#[test]
fn all_is_written_and_what_is_out_of_date_goes() {
    let folder = tempfile::tempdir().unwrap();
    let names = |report: &Report| {
        let mut written = write_all(report, None, folder.path()).unwrap();
        let mut there: Vec<_> =
            folder.path().read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        written.sort();
        there.sort();
        assert_eq!(written, there, "nothing else is left");
        written.len()
    };
    assert_eq!(names(&synthetic::sweep()), 2 * 6 + 1);
    assert_eq!(names(&synthetic::blocks()), 2 * 2 + 1);
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(page, of(&synthetic::blocks()), "the same report gives the same bytes");
    let error = write_all(&synthetic::blocks(), None, &folder.path().join("absent")).unwrap_err();
    assert!(format!("{error:#}").contains("absent"), "{error:#}");
}
