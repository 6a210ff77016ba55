//! Labels of marks that lie anywhere: none over another, over a mark or over a line.

use super::canvas::Point;

/// Left, top, right and bottom.
pub type Area = (i32, i32, i32, i32);

/// From a mark to its label, and from there to the next place further out.
const NEAR: i32 = 6;
const FURTHER: i32 = 14;
/// How many places there are outwards.
const RINGS: i32 = 16;
/// How many orders are tried.
const TRIES: usize = 12;
/// Where a label is tried first: above and below, where a row of marks has most room.
const WAYS: [(f64, f64); 16] = [
    (0.0, -1.0),
    (0.0, 1.0),
    (0.7, -0.7),
    (-0.7, -0.7),
    (0.7, 0.7),
    (-0.7, 0.7),
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.4, -0.9),
    (-0.4, -0.9),
    (0.4, 0.9),
    (-0.4, 0.9),
    (0.9, -0.4),
    (-0.9, -0.4),
    (0.9, 0.4),
    (-0.9, 0.4),
];

/// Where a label stands, and what leads to it where it is not next to its mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Label {
    pub middle: Point,
    /// From the mark to the label.
    pub leader: Option<(Point, Point)>,
}

/// Places within `area` for labels of these sizes next to marks of this radius; `None` for a label
/// that has no room. The first have precedence, but one that finds no room goes before them in
/// another try. Nothing lies over `taken`, which is where lines go.
pub fn places(
    marks: &[Point],
    radius: i32,
    sizes: &[(i32, i32)],
    area: Area,
    taken: &[Area],
) -> Vec<Option<Label>> {
    let mut order: Vec<usize> = (0..marks.len().min(sizes.len())).collect();
    let mut best: Vec<Option<Label>> = vec![None; order.len()];
    for _ in 0..TRIES {
        let found = tried(&order, (marks, radius), sizes, area, taken);
        let count = |labels: &[Option<Label>]| labels.iter().flatten().count();
        if count(&found) > count(&best) {
            best.clone_from(&found);
        }
        if count(&best) == best.len() {
            break;
        }
        // Stable: among those with room and among those without the order stays.
        order.sort_by_key(|at| found[*at].is_some());
    }
    best
}

fn tried(
    order: &[usize],
    (marks, radius): (&[Point], i32),
    sizes: &[(i32, i32)],
    area: Area,
    taken: &[Area],
) -> Vec<Option<Label>> {
    let around = |&(x, y): &Point, half: i32| (x - half, y - half, x + half, y + half);
    let marked: Vec<Area> = marks.iter().map(|mark| around(mark, radius)).collect();
    let mut taken: Vec<Area> = taken.to_vec();
    let mut labels: Vec<Area> = Vec::new();
    let mut found = vec![None; order.len()];
    for &at in order {
        let (mark, size) = (marks[at], sizes[at]);
        let label = around_mark(mark, radius, size).find(|label| {
            let own = extent(label.middle, size);
            let inside = own.0 >= area.0 && own.1 >= area.1 && own.2 <= area.2 && own.3 <= area.3;
            let is_free = |other: &Area| !overlap(own, *other);
            // What leads to it may cross a line, no mark and no label.
            let passes = |dot: &Area| {
                let others = marked.iter().filter(|other| !overlap(**other, around(&mark, 1)));
                others.chain(&labels).all(|other| !overlap(*dot, *other))
            };
            // Without a leader it stands nearest to its own mark.
            let is_clear = || {
                let away =
                    |(x, y): Point| (x - label.middle.0).pow(2) + (y - label.middle.1).pow(2);
                label.leader.is_some() || marks.iter().all(|other| away(mark) <= away(*other))
            };
            inside
                && is_clear()
                && marked.iter().chain(&taken).chain(&labels).all(is_free)
                && dots(label).iter().all(passes)
        });
        if let Some(label) = &label {
            labels.push(extent(label.middle, size));
            taken.extend(dots(label));
        }
        found[at] = label;
    }
    found
}

/// Everything that can be tried, the nearest first.
fn around_mark(mark: Point, radius: i32, (wide, high): (i32, i32)) -> impl Iterator<Item = Label> {
    let scaled = |way: f64, length: i32| (way * f64::from(length)).round() as i32;
    (0..RINGS).flat_map(move |ring| {
        let away = radius + NEAR + ring * FURTHER;
        WAYS.iter().map(move |&(right, down)| {
            let (x, y) = (scaled(right, away + wide / 2), scaled(down, away + high / 2));
            let middle = (mark.0 + x, mark.1 + y);
            let foot = (mark.0 + scaled(right, radius), mark.1 + scaled(down, radius));
            let end = (mark.0 + scaled(right, away - 2), mark.1 + scaled(down, away - 2));
            Label { middle, leader: (ring > 0).then_some((foot, end)) }
        })
    })
}

fn extent((x, y): Point, (wide, high): (i32, i32)) -> Area {
    (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
}

/// Points along what leads to a label, as small areas.
fn dots(label: &Label) -> Vec<Area> {
    const PARTS: i32 = 12;
    let Some((from, to)) = label.leader else { return Vec::new() };
    let along = |a: i32, b: i32, part: i32| a + (b - a) * part / PARTS;
    let dot = |part: i32| (along(from.0, to.0, part), along(from.1, to.1, part));
    (0..=PARTS).map(dot).map(|(x, y)| (x - 1, y - 1, x + 1, y + 1)).collect()
}

fn overlap(one: Area, other: Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lie_over_no_mark_line_or_other_label() {
        const PLANE: Area = (0, 0, 1000, 600);
        let alone = places(&[(500, 300)], 8, &[(30, 20)], PLANE, &[]);
        assert_eq!(alone, [Some(Label { middle: (500, 276), leader: None })]);
        let line = (0, 270, 1000, 274);
        let below = places(&[(500, 300)], 8, &[(30, 20)], PLANE, &[line]);
        assert_eq!(below[0].expect("room").middle, (500, 324));
        assert_eq!(places(&[(10, 10)], 8, &[(40, 20)], (0, 0, 30, 30), &[]), [None]);

        let marks: Vec<Point> = (0..12).map(|at| (300 + 17 * at, 300)).collect();
        let labels = places(&marks, 8, &[(40, 20); 12], PLANE, &[]);
        let boxes = labels.iter().map(|it| extent(it.expect("room").middle, (40, 20)));
        let boxes: Vec<Area> = boxes.collect();
        for (place, own) in boxes.iter().enumerate() {
            assert!(boxes[..place].iter().all(|other| !overlap(*own, *other)), "{own:?}");
            let is_free = |(x, y): &Point| !overlap(*own, (x - 8, y - 8, x + 8, y + 8));
            assert!(marks.iter().all(is_free), "{own:?}");
        }
    }
}
