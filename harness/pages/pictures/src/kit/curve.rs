//! Curves: named series of points.

/// One series.
pub struct Curve {
    pub name: String,
    /// A value in words, next to the name.
    pub value: String,
    /// Its place among the looks: the same in every panel.
    pub place: usize,
    pub points: Vec<Value>,
}

/// A point of a curve, with its 95% interval.
#[derive(Clone, Copy)]
pub struct Value {
    pub x: f64,
    pub y: f64,
    pub interval: Option<(f64, f64)>,
}

impl Curve {
    /// Its points are put in order.
    pub fn of(name: &str, place: usize, points: impl Iterator<Item = Value>) -> Curve {
        let mut points: Vec<Value> = points.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Curve { name: name.to_owned(), value: String::new(), place, points }
    }

    pub fn best(&self) -> Option<&Value> {
        self.points.iter().max_by(|a, b| a.y.total_cmp(&b.y))
    }
}
