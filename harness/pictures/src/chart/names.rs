//! The names of curves: next to an end far left of the others, else at the right with a leader.

use super::{Curve, GAP, LEADER, RIGHT};
use crate::canvas::{Canvas, Point};
use crate::labels;
use crate::lettering::{Lettering, second};
use crate::marks::{Look, RADIUS};
use crate::style::{END, INK, MUTED, RAIL, size};

/// Between a name and its value.
const SPACE: i32 = 18;

/// Draws the names and values of curves that run along these paths, in a panel between two heights.
pub fn draw(
    canvas: &mut Canvas,
    curves: &[Curve],
    paths: &[Vec<Point>],
    (top, bottom): (i32, i32),
) {
    let at_end = at_their_end(curves, paths);
    for (curve, corner) in curves.iter().zip(&at_end) {
        let Some((left, middle)) = *corner else { continue };
        let (name, value) = (Lettering::new(size::SMALL, INK), second());
        canvas.text((left, middle), &name, &curve.name);
        canvas.text((left + name.width(&curve.name) + SPACE, middle), &value, &curve.value);
    }
    let led_to = curves.iter().zip(paths).zip(&at_end);
    let led_to: Vec<(&Curve, Point)> = led_to
        .filter(|(_, corner)| corner.is_none())
        .filter_map(|((curve, path), _)| Some((curve, *path.last()?)))
        .collect();
    at_the_right(canvas, &led_to, (top, bottom));
}

/// Where the names of curves begin that end far left of the others: next to their end, if there is
/// room on the picture that no other curve passes.
fn at_their_end(curves: &[Curve], paths: &[Vec<Point>]) -> Vec<Option<Point>> {
    let mut taken: Vec<(Point, Point)> = Vec::new();
    let mut corners = Vec::new();
    for (place, (curve, path)) in curves.iter().zip(paths).enumerate() {
        let wide = second().width(&curve.name) + SPACE + second().width(&curve.value);
        let corner = path.last().and_then(|&(x, y)| {
            let left = x + RADIUS + 10;
            let room = ((left, y - GAP / 2), (left + wide, y + GAP / 2));
            let others = paths.iter().enumerate().filter(|(other, _)| *other != place);
            let is_free = left + wide + GAP <= RIGHT
                && others.clone().all(|(_, path)| !passes(path, room))
                && taken.iter().all(|other| !overlap(*other, room));
            is_free.then(|| {
                taken.push(room);
                (left, y)
            })
        });
        corners.push(corner);
    }
    corners
}

/// Whether two boxes of upper left and lower right corners have a point in common.
fn overlap((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    a.0 < d.0 && c.0 < b.0 && a.1 < d.1 && c.1 < b.1
}

/// Whether a path from left to right, with its marks, comes into a box.
fn passes(path: &[Point], ((left, top), (right, bottom)): (Point, Point)) -> bool {
    let (left, right) = (f64::from(left - RADIUS), f64::from(right + RADIUS));
    let (top, bottom) = (f64::from(top - RADIUS), f64::from(bottom + RADIUS));
    path.windows(2).any(|pair| {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let (from, to) = (x0.max(left), x1.min(right));
        let slope = if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 };
        let [a, b] = [from, to].map(|x| y0 + slope * (x - x0));
        from <= to && a.min(b) <= bottom && a.max(b) >= top
    })
}

/// The name of each of these curves, led to from its end.
fn at_the_right(canvas: &mut Canvas, ends: &[(&Curve, Point)], (top, bottom): (i32, i32)) {
    let wanted: Vec<i32> = ends.iter().map(|(_, end)| end.1).collect();
    let places = labels::apart(&wanted, GAP, (top, bottom));
    let left = RIGHT + LEADER;
    for (&(curve, (x, y)), &place) in ends.iter().zip(&places) {
        canvas.path(&[(x + RADIUS + 4, y), (RIGHT + 6, y), (left - 6, place)], 1, RAIL);
        Look::of(curve.place).mark(canvas, (left + RADIUS, place));
        let value = Lettering::new(size::SMALL, MUTED).right();
        let name = Lettering::new(size::SMALL, INK);
        let from = left + 2 * RADIUS + 12;
        let room = END - from - value.width(&curve.value) - 16;
        canvas.text((from, place), &name, &name.fit(&curve.name, room));
        canvas.text((END, place), &value, &curve.value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str) -> Curve {
        Curve { name: name.to_owned(), value: "1".to_owned(), place: 0, points: Vec::new() }
    }

    #[test]
    fn a_name_stands_at_an_end_that_no_other_curve_passes() {
        let curves = ["short", "long"].map(curve);
        let short = vec![(200, 300), (400, 300)];
        let far = vec![(200, 700), (RIGHT, 600)];
        let corners = at_their_end(&curves, &[short.clone(), far]);
        assert_eq!(corners, [Some((400 + RADIUS + 10, 300)), None]);
        let across = vec![(200, 700), (450, 310), (RIGHT, 100)];
        assert_eq!(at_their_end(&curves, &[short.clone(), across]), [None, None]);
        // Two that end at the same place: only one has room there.
        assert!(at_their_end(&curves, &[short.clone(), short])[1].is_none());
    }
}
