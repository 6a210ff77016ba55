//! A message from one block to another: a value, then a flag, and where both are while they travel.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

/// What is where: in the writer's multiprocessor, in the L2 cache that all share, and with the reader.
struct Scene {
    writer: &'static str,
    l2: [&'static str; 2],
    reader: &'static str,
    /// What travels, if something does: whether it is the flag, and whether it goes down to L2 or up to the reader.
    way: Option<(bool, bool)>,
    caption: &'static str,
}

const WITHOUT: [Scene; 4] = [
    Scene {
        writer: "value = 42\nflag = 1",
        l2: ["value: 0", "flag: 0"],
        reader: "flag?",
        way: None,
        caption: "Without a fence. The writer has stored both; the stores are on their way, in any order.",
    },
    Scene {
        writer: "value = 42",
        l2: ["value: 0", "flag: 1"],
        reader: "flag?",
        way: Some((true, true)),
        caption: "The flag arrives first.",
    },
    Scene {
        writer: "value = 42",
        l2: ["value: 0", "flag: 1"],
        reader: "flag = 1\nvalue = 0",
        way: Some((false, false)),
        caption: "The reader sees the flag and reads an old value: the message is wrong.",
    },
    Scene {
        writer: "",
        l2: ["value: 42", "flag: 1"],
        reader: "flag = 1\nvalue = 0",
        way: Some((false, true)),
        caption: "The value arrives too late.",
    },
];

const WITH: [Scene; 4] = [
    Scene {
        writer: "value = 42\nfence",
        l2: ["value: 0", "flag: 0"],
        reader: "flag?",
        way: None,
        caption: "With fences. The writer's fence waits until the value can be seen by all.",
    },
    Scene {
        writer: "flag = 1",
        l2: ["value: 42", "flag: 0"],
        reader: "flag?",
        way: Some((false, true)),
        caption: "Only then is the flag stored.",
    },
    Scene {
        writer: "",
        l2: ["value: 42", "flag: 1"],
        reader: "flag = 1\nfence",
        way: Some((true, false)),
        caption: "The reader sees the flag. Its own fence keeps it from using a value that it read earlier.",
    },
    Scene {
        writer: "",
        l2: ["value: 42", "flag: 1"],
        reader: "flag = 1\nvalue = 42",
        way: Some((false, false)),
        caption: "Whoever sees the flag now sees the value.",
    },
];

pub fn film() -> String {
    let mut film = Film::new(
        "A value and a flag from one block to another, first without fences, then with them",
    );
    for scene in WITHOUT.iter().chain(&WITH) {
        let mut drawing = Drawing::new(150.0, scene.caption);
        drawing.text((4.0, 14.0), "block that writes");
        drawing.end((356.0, 14.0), "block that reads");
        drawing.cell("load", (4.0, 22.0), (112.0, 48.0), scene.writer);
        drawing.cell("load", (244.0, 22.0), (112.0, 48.0), scene.reader);
        for (place, name) in scene.l2.into_iter().enumerate() {
            let fill = if name.ends_with(": 0") { "" } else { "busy" };
            drawing.cell(fill, (76.0 + 108.0 * place as f64, 108.0), (100.0, 28.0), name);
        }
        drawing.text((4.0, 127.0), "L2 cache");
        if let Some((is_flag, is_down)) = scene.way {
            let box_ = if is_flag { 234.0 } else { 126.0 };
            match is_down {
                true => drawing.arrow((60.0, 72.0), (box_, 106.0)),
                false => drawing.arrow((box_, 106.0), (300.0, 72.0)),
            }
        }
        film.frame(drawing, scene.caption);
    }
    film.html()
}
