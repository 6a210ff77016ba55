//! A body's walk through the tree: which cells it opens, and which it takes as one mass.

use super::octree::{BODIES, Cell};
use crate::figures::kit::drawing::{Drawing, Point};
use crate::figures::kit::film::Film;

/// Cells are opened within side / distance of this.
const ANGLE: f64 = 0.7;
/// The body that walks.
const WALKER: Point = BODIES[0];
const SIDE: f64 = 168.0;
const CORNER: Point = (4.0, 6.0);

/// The mean place of the bodies of a cell.
fn centre(cell: &Cell) -> Point {
    let count = cell.bodies.len() as f64;
    let sum = cell.bodies.iter().fold((0.0, 0.0), |sum, body| (sum.0 + body.0, sum.1 + body.1));
    (sum.0 / count, sum.1 / count)
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// What the walk does with a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    Opened,
    Mass,
    Body,
    Itself,
}

fn way(cell: &Cell) -> Way {
    match cell.bodies[..] {
        [body] if body == WALKER => Way::Itself,
        [_] => Way::Body,
        _ if cell.side < ANGLE * distance(centre(cell), WALKER) => Way::Mass,
        _ => Way::Opened,
    }
}

/// The cells that the walk meets, in its order, and how many still wait on its stack.
fn visits(root: &Cell) -> Vec<(&Cell, Way, usize)> {
    let mut stack = vec![root];
    let mut visits = Vec::new();
    while let Some(cell) = stack.pop() {
        let way = way(cell);
        if way == Way::Opened {
            stack.extend(cell.children.iter().rev().filter(|child| !child.bodies.is_empty()));
        }
        visits.push((cell, way, stack.len()));
    }
    visits
}

fn at((x, y): Point) -> Point {
    (CORNER.0 + SIDE * x, CORNER.1 + SIDE * y)
}

pub fn film() -> String {
    let mut film = Film::new(
        "A body walks the tree: it opens cells that are near, and takes far ones as one mass",
    );
    let root = Cell::root();
    let visits = visits(&root);
    for now in 0..visits.len() {
        let (cell, way, waiting) = visits[now];
        let caption = match way {
            Way::Opened => {
                "The cell is near for its size: it is opened, and its parts go onto the stack."
            }
            Way::Mass => "The cell is far for its size: its bodies pull as one mass.",
            Way::Body => "A single body: it pulls.",
            Way::Itself => "The body itself: no pull.",
        };
        let mut drawing = Drawing::new(180.0, caption);
        drawing.outline(CORNER, (SIDE, SIDE));
        for (seen, way, _) in &visits[..now] {
            let corner = at(seen.corner);
            let size = (SIDE * seen.side, SIDE * seen.side);
            match way {
                Way::Opened => drawing.outline(corner, size),
                Way::Mass | Way::Body | Way::Itself => drawing.tinted("load", corner, size),
            }
        }
        drawing.cell("busy", at(cell.corner), (SIDE * cell.side, SIDE * cell.side), "");
        for body in BODIES {
            drawing.dot(if body == WALKER { "busy" } else { "load" }, at(body), 4.0);
        }
        if way == Way::Mass {
            drawing.line(at(centre(cell)), at(WALKER));
            drawing.dot("busy", at(centre(cell)), 6.0);
        }
        let pulls =
            visits[..=now].iter().filter(|(_, way, _)| matches!(way, Way::Mass | Way::Body));
        let words = format!(
            "step {} of {}\n\non the stack: {waiting}\npulls so far: {}\n\nall pairs would take {}",
            now + 1,
            visits.len(),
            pulls.count(),
            BODIES.len() - 1
        );
        drawing.text((190.0, 40.0), &words);
        film.frame(drawing, caption);
    }
    film.html()
}

/// What decides: the size of a cell against its distance.
pub fn angle() -> String {
    let mut drawing = Drawing::new(
        150.0,
        "A body and two cells of the same size. The near one fills a large angle and is opened; the far one fills a small angle and is taken as \
         one mass",
    );
    let eye = (16.0, 84.0);
    for (left, side, words) in [(64.0, 52.0, "near: open it"), (290.0, 52.0, "far: one mass")] {
        let corner = (left, eye.1 - side / 2.0);
        let fill = if left > 200.0 { "busy" } else { "load" };
        drawing.cell(fill, corner, (side, side), "");
        drawing.line(eye, corner);
        drawing.line(eye, (left, corner.1 + side));
        drawing.middle((left + side / 2.0, corner.1 - 10.0), words);
        drawing.dot("busy", (left + side / 2.0, eye.1), 4.0);
    }
    drawing.dot("load", eye, 5.0);
    drawing.text((4.0, 142.0), "opened if side / distance is more than θ");
    drawing.html()
}

/// First a list of what pulls, then the pull.
pub fn lists() -> String {
    let mut drawing = Drawing::new(
        226.0,
        "A warp takes up to 32 nodes from its stack, one for each lane. Each lane measures its node: near nodes are opened and their children go \
         back to the stack, far ones go to the list. When the list is long enough, all bodies of the warp are pulled by all of it",
    );
    drawing.cell("", (4.0, 22.0), (76.0, 60.0), "stack");
    drawing.arrow((82.0, 52.0), (116.0, 52.0));
    drawing.cell("load", (118.0, 22.0), (112.0, 60.0), "32 lanes measure\n32 nodes");
    drawing.arrow((232.0, 52.0), (266.0, 52.0));
    drawing.text((236.0, 46.0), "far");
    drawing.cell("", (268.0, 22.0), (86.0, 60.0), "list");
    drawing.path(
        "stroke=\"currentColor\" stroke-width=\"1.2\"",
        [(174.0, 84.0), (174.0, 104.0), (42.0, 104.0)],
    );
    drawing.arrow((42.0, 104.0), (42.0, 84.0));
    drawing.text((60.0, 120.0), "near: the children");
    drawing.arrow((311.0, 84.0), (311.0, 140.0));
    drawing.cell("busy", (118.0, 142.0), (236.0, 40.0), "each body of the warp × each entry");
    drawing.text((4.0, 204.0), "32 loads of nodes are in flight at once, and the inner loop\nhas neither a branch nor a vote.");
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_takes_every_body_once_alone_or_in_a_mass() {
        let root = Cell::root();
        let taken: usize = visits(&root)
            .iter()
            .filter(|(_, way, _)| *way != Way::Opened)
            .map(|(cell, ..)| cell.bodies.len())
            .sum();
        assert_eq!(taken, BODIES.len());
        assert!(visits(&root).iter().any(|(_, way, _)| *way == Way::Mass));
    }
}
