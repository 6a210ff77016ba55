//! A sum by a tree, round by round, with its values.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

const VALUES: [u32; 16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];
const THREADS: usize = VALUES.len();
const WIDE: f64 = 22.0;

pub fn film() -> String {
    let mut film = Film::new(
        "Sixteen values are added in four rounds; in each round half as many threads add",
    );
    let mut sums = VALUES;
    let mut active = THREADS;
    loop {
        let half = active / 2;
        let words = format!("{active} values are left: {:?}", &sums[..active]);
        let mut drawing = Drawing::new(112.0, words);
        drawing.text(
            (4.0, 14.0),
            &format!("shared memory: {active} value{} left", if active > 1 { "s" } else { "" }),
        );
        let fill = |place| match place {
            _ if place >= active => "",
            _ if place < half || active == 1 => "busy",
            _ => "load",
        };
        let name =
            |place: usize| if place < active { sums[place].to_string() } else { "·".to_owned() };
        drawing.row(
            (2.0, 22.0),
            (WIDE, 26.0),
            (0..THREADS).map(|place| (fill(place), name(place))),
        );
        let middle = |place: usize| 2.0 + WIDE * (place as f64 + 0.5);
        // The outermost pair, and the innermost.
        for thread in if half > 0 { vec![0, half - 1] } else { vec![] } {
            let y = if thread == 0 { 92.0 } else { 70.0 };
            drawing.line((middle(thread + half), 50.0), (middle(thread + half), y));
            drawing.line((middle(thread + half), y), (middle(thread), y));
            drawing.arrow((middle(thread), y), (middle(thread), 50.0));
        }
        let caption = match half {
            0 => format!("{} is the sum of all. Four rounds added fifteen times.", sums[0]),
            1 => "One thread adds the last two.".to_owned(),
            _ => format!(
                "Threads 0 to {} each add the value {half} places further right. Then a barrier.",
                half - 1
            ),
        };
        film.frame(drawing, &caption);
        if half == 0 {
            return film.html();
        }
        (0..half).for_each(|thread| sums[thread] += sums[thread + half]);
        active = half;
    }
}
