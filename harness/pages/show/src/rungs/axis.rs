//! Where speeds are on a logarithmic axis of columns.

/// A gap between the speeds of neighbours on the axis is drawn as if it were no greater: a step that
/// gains a thousand times must not hide what the others gain.
const GREATEST_GAP: f64 = 4.0;

pub struct Axis {
    /// Speeds, ascending, and how far from the slowest each is drawn, in the units of a logarithm.
    places: Vec<(f64, f64)>,
    pub columns: usize,
    /// Columns in which the axis is cut.
    cuts: Vec<usize>,
}

impl Axis {
    pub fn new(mut speeds: Vec<f64>, columns: usize) -> Axis {
        speeds.sort_by(f64::total_cmp);
        let mut axis = Axis { places: Vec::new(), columns, cuts: Vec::new() };
        let mut gaps = Vec::new();
        for speed in speeds {
            let place = match axis.places.last() {
                None => 0.0,
                Some(&(before, place)) => {
                    if speed / before > GREATEST_GAP {
                        gaps.push(place + 0.5 * GREATEST_GAP.ln());
                    }
                    place + (speed / before).min(GREATEST_GAP).ln()
                }
            };
            axis.places.push((speed, place));
        }
        axis.cuts = gaps.into_iter().map(|gap| axis.column_of(gap)).collect();
        axis
    }

    pub fn is_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// Columns from the left up to a speed.
    pub fn column(&self, speed: f64) -> usize {
        let after = self.places.partition_point(|(other, _)| *other < speed);
        let place = match (after.checked_sub(1), self.places.get(after)) {
            (None, _) => 0.0,
            (Some(before), None) => self.places[before].1,
            (Some(before), Some(&(above, top))) => {
                let (below, bottom) = self.places[before];
                bottom + (top - bottom) * (speed / below).ln() / (above / below).ln()
            }
        };
        self.column_of(place)
    }

    /// Columns up to a place; the slowest speed has one too.
    fn column_of(&self, place: f64) -> usize {
        let span = self.places.last().map_or(0.0, |(_, place)| *place);
        let part = if span > 0.0 { (place / span).clamp(0.0, 1.0) } else { 1.0 };
        1 + (part * self.columns.saturating_sub(1) as f64).round() as usize
    }

    /// A line between two columns, cut where the axis is.
    pub fn line(&self, from: usize, to: usize, line: char) -> String {
        let is_cut = |at: usize| self.cuts.iter().any(|cut| (*cut..cut + 2).contains(&at));
        (from..to).map(|at| if is_cut(at) { '/' } else { line }).collect()
    }
}
