//! The ways of data from the host to a kernel.

use crate::figures::kit::drawing::Drawing;

pub fn paths() -> String {
    let mut drawing = Drawing::new(
        238.0,
        "Three ways from the host's memory to a kernel. Pageable: the CPU copies into a page-locked buffer, from which the GPU's copy engine \
         takes it. Pinned: the copy engine takes it directly. Zero copy: the kernel itself reads the host's memory over the link",
    );
    let ways: [(&str, &[(&str, &str)]); 3] = [
        ("pageable", &[("load", "host"), ("", "buffer"), ("load", "memory"), ("busy", "kernel")]),
        ("pinned", &[("load", "locked"), ("load", "memory"), ("busy", "kernel")]),
        ("zero copy", &[("load", "locked"), ("busy", "kernel")]),
    ];
    // Where the link between host and GPU is crossed.
    const LINK: f64 = 182.0;
    drawing.middle((100.0, 14.0), "host");
    drawing.middle((272.0, 14.0), "GPU");
    let look = "stroke=\"currentColor\" stroke-dasharray=\"5 4\" stroke-opacity=\".7\"";
    drawing.path(look, [(LINK, 4.0), (LINK, 216.0)]);
    for (row, (title, stations)) in ways.into_iter().enumerate() {
        let top = 24.0 + 66.0 * row as f64;
        drawing.text((4.0, top + 12.0), title);
        let on_host = stations.len()
            - stations.iter().filter(|(_, name)| ["memory", "kernel"].contains(name)).count();
        let left = |place: usize| match place < on_host {
            true => LINK - 8.0 - 84.0 * (on_host - place) as f64,
            false => LINK + 10.0 + 84.0 * (place - on_host) as f64,
        };
        for (place, (fill, name)) in stations.iter().enumerate() {
            drawing.cell(fill, (left(place), top + 18.0), (74.0, 28.0), name);
            if place > 0 {
                drawing
                    .arrow((left(place - 1) + 75.0, top + 32.0), (left(place) - 1.0, top + 32.0));
            }
        }
    }
    drawing.middle((LINK, 232.0), "the link: PCIe");
    drawing.html()
}
