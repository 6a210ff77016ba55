//! Pages of reports made up for the purpose.

use report::against::Against;
use report::published::Published;
use report::synthetic::{self, GPU, row, timed};
use report::{Outcome, Report, Suspect, TimeSource, format};

use pictures::Picture;

use super::Page;
use crate::says;

/// Pictures stand in their place, whoever drew them.
const SVG: &str = "<?xml?><svg role=\"img\"><desc>d</desc><rect fill=\"#FFFFFF\"/></svg>";

fn picture(name: &'static str) -> Picture {
    let [title, words, svg] = ["What <it> says", "Every number", SVG].map(str::to_owned);
    Picture { name, title, words, svg, narrow: None }
}

fn of(report: &Report, pictures: &[Picture]) -> String {
    Page { report, published: &Published::default(), against: None, pictures }.html()
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

/// The page of a report with these pictures has the first texts, and none of the others.
fn check(report: &Report, pictures: &[Picture], wanted: &[&str], unwanted: &[&str]) -> String {
    let page = of(report, pictures);
    tags(&page);
    says(&page, wanted);
    for text in unwanted {
        assert!(!page.contains(text), "{text} in {page}");
    }
    page
}

#[test]
fn a_page_holds_what_the_report_says() {
    let (sweep, ladder) = (synthetic::sweep(), [picture("ladder")]);
    let wanted = [
        "MEASURED",
        "GPU &lt;A&amp;B&gt;",
        "580.95.05",
        "A processor",
        "2026-11-20 · revision 0123456789ab",
        "8 rows: 8 measured",
        "what 07-unroll changes",
        "NVRTC 13.0, sm_90",
        "no difference",
        "the GPU lowered its clocks: power cap: 03-soa (2 of 30)",
        "26.2\u{2009}GB/s",
        "of issue",
        "detour, not part of the main ladder",
        "error (rms) 2.0e-7 of 1.0e-5 allowed at n = 131\u{2009}072",
    ];
    check(&sweep, &ladder, &wanted, &["MODELLED", "Limits of the CPU"]);
    // A picture has its message and its words.
    let wanted = [
        "<title>What &lt;it&gt; says</title>",
        "<p>Every number</p>",
        "<svg role=\"img\">",
        "Threads per block",
        "svg [fill=\"#FFFFFF\"]{fill:#1b1b1b}",
        "1024 threads",
        "&lt;A&amp;B&gt;",
    ];
    let unwanted = ["The ladder", "<?xml", "id=\"accuracy\"", "id=\"limits\"", GPU];
    check(&synthetic::blocks(), &[picture("blocks")], &wanted, &unwanted);
    // The limits of a CPU have words of their own.
    let unwanted = ["MUFU", "PCIe", "warps resident", "DRAM"];
    check(&synthetic::host(), &[], &["Limits of the CPU", "not counted"], &unwanted);
    let accuracy =
        "Speed and error at n = 10\u{2009}000, by the relative error (rms) against f64: ";
    check(&synthetic::accuracies(), &[], &[accuracy], &[]);
    // A ladder whose results are exact and whose work is bytes.
    let wanted = [
        "GB/s</th>",
        "transposition</th>",
        "Number of rows and columns",
        "its elements",
        "exact at n",
    ];
    check(&synthetic::exact(), &[picture("sizes")], &wanted, &["flop", "time step", "pairs"]);
}

/// The part of the page that is not folded.
fn unfolded(page: &str) -> &str {
    page.split("<details class=\"part\">").next().unwrap()
}

#[test]
fn the_ladder_is_read_first_and_the_rest_is_folded() {
    let page = of(&synthetic::sweep(), &[picture("ladder"), picture("bounds")]);
    says(unfolded(&page), &["id=\"ladder\">The ladder</h2>", "<figure class=\"ladder\">"]);
    for part in ["All steps in numbers", "Limits", "Each step"] {
        assert!(!unfolded(&page).contains(&format!(">{part}</h2>")), "{part}");
    }
    let folded = page.matches("<details class=\"part\"><summary><h2").count();
    assert_eq!(folded + 1, page.matches("<h2").count());
    // What stands for the picture where that is too wide.
    let list = unfolded(&page).split_once("<div class=\"rungs\">").expect("a list").1;
    for row in &synthetic::sweep().rows {
        assert!(list.contains(&format!("<span class=\"name\">{}</span>", row.step)), "{list}");
    }
    let (_, over) = synthetic::sweep().rows[7].parent().expect("a parent");
    says(list, &[format!("<span class=\"faster\">{}</span>", format::factor(over.ratio))]);
    // A sweep has no ladder, and is about its picture.
    let sweep = of(&synthetic::blocks(), &[picture("blocks")]);
    says(unfolded(&sweep), &["id=\"blocks\">", "<figure class=\"blocks\">"]);
    assert!(!sweep.contains("class=\"rungs\""));
}

#[test]
fn a_page_needs_nothing_else() {
    for report in [synthetic::sweep(), synthetic::blocks(), synthetic::report(vec![], true)] {
        let page = of(&report, &[]);
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
    let page = of(&synthetic::sweep(), &[picture("ladder")]);
    let tags = tags(&page);
    let all = |name: &str| -> Vec<&String> {
        tags.iter().filter(|tag| tag.split_whitespace().next() == Some(name)).collect()
    };
    assert_eq!((all("h1").len(), all("main").len()), (1, 1));
    assert!(all("h2").len() >= 8 && all("html")[0].contains("lang=\"en\""));
    assert!(all("th").iter().all(|head| head.contains("scope=")));
    for table in all("table") {
        assert!(table.contains("aria-label=\""), "{table}");
    }
    let boxes = all("div").into_iter().filter(|tag| tag.contains("class=\"scroll\""));
    assert!(boxes.clone().count() > all("table").len());
    let names = |tag: &&String| tag.contains("tabindex=\"0\"") && tag.contains("aria-label");
    assert!(boxes.clone().all(|tag| names(&tag)));
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
    let page = of(&report, &[]);
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
    report.rows[7].reason = Some("element 7 is off".to_owned());
    let page = of(&report, &[]);
    assert!(page.contains("element 7 is off") && page.contains("7 measured, 1 wrong"));
    let time = format::time(Some(own));
    assert!(!page.contains(&time), "{time}");
}

#[test]
fn odd_reports_have_pages() {
    let skipped = |step: &str| row(step, None, Outcome::Skipped);
    let mut modelled = timed("01-one", None, 1000, 1e-3);
    modelled.outcome = Outcome::Simulated;
    modelled.time_source = Some(TimeSource::Model);
    let mut silent = skipped("02-none");
    silent.reason = None;
    for rows in [vec![], vec![skipped("01-one"), silent], vec![modelled]] {
        let mut report = synthetic::report(rows, true);
        check(&report, &[], &[], &["NaN"]);
        (report.device, report.revision) = (None, None);
        check(&report, &[], &["none could be opened"], &["NaN"]);
    }
}

#[test]
fn a_page_shows_a_gpu_against_a_cpu() {
    let (report, published) = (synthetic::sweep(), Published::default());
    let found = Against::of(&report, &synthetic::host(), &published).expect("both have steps");
    let against = Some((&found, "cpu/report.json"));
    let page = Page { report: &report, published: &published, against, pictures: &[] }.html();
    tags(&page);
    let wanted = [
        "id=\"against-cpu\">Against a CPU</h2>",
        "aria-label=\"GPU against CPU\"",
        "<small>best CPU step</small>",
        "CPU, 32 threads",
        "One CPU thread: 01-c-loop, 1 thread (the ladder's first step).",
        "and from cpu/report.json",
    ];
    says(&page, &wanted);
    let alone = of(&report, &[]);
    assert!(!alone.contains("against-cpu") && !alone.contains("cpu/report.json"));
}

#[test]
fn all_is_written_and_what_is_out_of_date_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let published = Published::default();
    let names = |report: &Report, pictures: &[Picture]| {
        let page = Page { report, published: &published, against: None, pictures };
        let mut written = page.write(folder.path()).expect("written");
        let mut there: Vec<_> =
            folder.path().read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        written.sort();
        there.sort();
        assert_eq!(written, there, "nothing else is left");
        written.len()
    };
    let drawn = ["ladder", "bounds", "spread"].map(picture);
    assert_eq!(names(&synthetic::sweep(), &drawn), 3 + 1);
    assert_eq!(names(&synthetic::blocks(), &[picture("blocks")]), 1 + 1);
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let again = of(&synthetic::blocks(), &[picture("blocks")]);
    assert_eq!(page, again, "the same report gives the same bytes");
    let (report, absent) = (synthetic::blocks(), folder.path().join("absent"));
    let page = Page { report: &report, published: &published, against: None, pictures: &[] };
    let error = page.write(&absent).expect_err("no such folder");
    assert!(error.to_string().contains("absent"), "{error}");
}
