//! The names of curves: right of the plane, with a line from each curve's end.

use super::canvas::{Canvas, Point};
use super::curve::Curve;
use super::grid::Plane;
use super::labels;
use super::lettering::{Lettering, second};
use super::marks::{Look, RADIUS};
use super::style::{INK, MARGIN, MUTED, RAIL, size};

/// From a name to the next.
pub const GAP: i32 = 30;
/// From the plane to a name.
const LEADER: i32 = 44;

/// The name of a curve, which has a look, or of a line that has none.
pub struct Name<'n> {
    pub text: &'n str,
    pub value: String,
    /// From where a line leads to it.
    pub end: Point,
    pub look: Option<Look>,
}

/// Names right of a plane, each as near to the height of its end as the others let it.
pub fn draw(canvas: &mut Canvas, names: &[Name], Plane { right, top, bottom, .. }: Plane) {
    let wanted: Vec<i32> = names.iter().map(|name| name.end.1).collect();
    for (name, y) in names.iter().zip(labels::apart(&wanted, GAP, (top, bottom))) {
        let left = right + LEADER;
        canvas.path(&[name.end, (right + 6, name.end.1), (left - 6, y)], 1, RAIL);
        write(canvas, name, (left, y));
    }
}

/// Names of a narrow picture, one below the other from the height `y` on; returns the height below.
pub fn list(canvas: &mut Canvas, names: &[Name], mut y: i32) -> i32 {
    for name in names {
        write(canvas, name, (MARGIN, y));
        y += GAP;
    }
    y
}

/// A name from `left` on and its value at the right edge.
fn write(canvas: &mut Canvas, name: &Name, (mut left, y): Point) {
    if let Some(look) = &name.look {
        look.mark(canvas, (left + RADIUS, y));
        left += 2 * RADIUS + 12;
    }
    let end = canvas.paper.end();
    let words = Lettering::new(size::SMALL, if name.look.is_some() { INK } else { MUTED });
    let room = end - left - second().width(&name.value) - 16;
    canvas.text((left, y), &words, &words.fit(name.text, room));
    canvas.text((end, y), &second().right(), &name.value);
}

/// The names of curves that run along these paths. The name of one that alone ends far left of the
/// others stands at its end.
pub fn of_curves(canvas: &mut Canvas, curves: &[Curve], paths: &[Vec<Point>], plane: Plane) {
    let ends = paths.iter().map(|path| path.last().copied().unwrap_or_default());
    let is_short = |(curve, (x, _)): &(&Curve, Point)| {
        let text = format!("{}   {}", curve.name, curve.value);
        x + RADIUS + 10 + second().width(&text) + GAP <= plane.right
    };
    let (mut short, mut others): (Vec<_>, Vec<_>) = curves.iter().zip(ends).partition(is_short);
    if short.len() > 1 {
        others.append(&mut short);
    }
    for (curve, (x, y)) in short {
        let (x, name) = (x + RADIUS + 10, Lettering::new(size::SMALL, INK));
        canvas.text((x, y), &name, &curve.name);
        canvas.text((x + name.width(&curve.name) + 18, y), &second(), &curve.value);
    }
    let names = others.into_iter().map(|(curve, (x, y))| of_curve(curve, (x + RADIUS + 4, y)));
    draw(canvas, &names.collect::<Vec<_>>(), plane);
}

/// The name of a curve that ends at a point.
pub fn of_curve(curve: &Curve, end: Point) -> Name<'_> {
    Name { text: &curve.name, value: curve.value.clone(), end, look: Some(Look::of(curve.place)) }
}
