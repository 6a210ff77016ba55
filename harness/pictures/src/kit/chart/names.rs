//! The names of curves: right of the panel, with a line from each curve's end.

use super::{Curve, GAP, RIGHT};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::labels;
use crate::kit::lettering::{Lettering, second};
use crate::kit::marks::{Look, RADIUS};
use crate::kit::style::{END, INK, MUTED, RAIL, size};

/// From the panel to a name.
pub const LEADER: i32 = 44;

/// What stands right of a panel for a curve, which has a look, or for a line that has none.
pub struct Name<'n> {
    pub text: &'n str,
    pub value: String,
    /// From where a line leads to it.
    pub end: Point,
    pub look: Option<Look>,
}

/// Names in the room right of `right`, each as near to the height of its end as the others let it.
pub fn draw(canvas: &mut Canvas, names: &[Name], right: i32, ends: (i32, i32)) {
    let wanted: Vec<i32> = names.iter().map(|name| name.end.1).collect();
    for (name, y) in names.iter().zip(labels::apart(&wanted, GAP, ends)) {
        let mut left = right + LEADER;
        let (from, to) = ((right + 6, name.end.1), (left - 6, y));
        canvas.path(&[name.end, from, to], 1, RAIL);
        if let Some(look) = &name.look {
            look.mark(canvas, (left + RADIUS, y));
            left += 2 * RADIUS + 12;
        }
        let words = Lettering::new(size::SMALL, if name.look.is_some() { INK } else { MUTED });
        let room = END - left - second().width(&name.value) - 16;
        canvas.text((left, y), &words, &words.fit(name.text, room));
        canvas.text((END, y), &second().right(), &name.value);
    }
}

/// The names of curves that run along these paths, in a panel between two heights. The name of one
/// that alone ends far left of the others stands at its end.
pub fn of_curves(canvas: &mut Canvas, curves: &[Curve], paths: &[Vec<Point>], ends: (i32, i32)) {
    let last = |path: &Vec<Point>| path.last().copied().unwrap_or_default();
    let is_short = |(curve, path): &(&Curve, &Vec<Point>)| {
        let text = format!("{}   {}", curve.name, curve.value);
        last(path).0 + RADIUS + 10 + second().width(&text) + GAP <= RIGHT
    };
    let (mut short, mut others): (Vec<_>, Vec<_>) = curves.iter().zip(paths).partition(is_short);
    if short.len() > 1 {
        others.append(&mut short);
    }
    for (curve, path) in short {
        let ((x, y), name) = (last(path), Lettering::new(size::SMALL, INK));
        let x = x + RADIUS + 10;
        canvas.text((x, y), &name, &curve.name);
        canvas.text((x + name.width(&curve.name) + 18, y), &second(), &curve.value);
    }
    let names = others.into_iter().map(|(curve, path)| {
        let ((x, y), look) = (last(path), Some(Look::of(curve.place)));
        Name { text: &curve.name, value: curve.value.clone(), end: (x + RADIUS + 4, y), look }
    });
    draw(canvas, &names.collect::<Vec<_>>(), RIGHT, ends);
}
