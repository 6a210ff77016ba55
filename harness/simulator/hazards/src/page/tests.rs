//! Rows and cells against each other.

use std::array;

use super::super::clocks::VectorClocks;
use super::*;

/// The words and epochs that an access conflicts with.
type Found = Vec<(usize, u64, bool)>;

/// The same access to a page with rows, and to one that has cells from the beginning.
struct Both {
    rows: Page,
    cells: Page,
    spare: SparePages,
}

impl Both {
    fn new() -> Both {
        let both =
            Both { rows: Page::default(), cells: Page::default(), spare: SparePages::default() };
        both.cells.cells(&both.spare);
        both
    }

    fn read(&self, span: Span, epoch: Epoch, view: &View) {
        let (mut by_rows, mut by_cells) = (Found::new(), Found::new());
        if !self.rows.read(span, epoch, view, |at, with, wrote| by_rows.push((at, with.0, wrote))) {
            read_cells(self.rows.cells(&self.spare), span, epoch, view, &mut by_rows);
        }
        read_cells(self.cells.cells(&self.spare), span, epoch, view, &mut by_cells);
        assert_eq!(by_rows, by_cells);
    }

    fn write(&self, span: Span, epoch: Epoch, values: &[u32], view: &View) {
        let (mut by_rows, mut by_cells) = (Found::new(), Found::new());
        let hear = |at, with: Epoch, wrote| by_rows.push((at, with.0, wrote));
        if !self.rows.write(span, (epoch, values), view, hear) {
            by_rows.clear();
            write_cells(self.rows.cells(&self.spare), span, (epoch, values), view, &mut by_rows);
        }
        write_cells(self.cells.cells(&self.spare), span, (epoch, values), view, &mut by_cells);
        assert_eq!(by_rows, by_cells);
    }

    /// That all words have the same record.
    fn agree(&self) {
        let fields = |cell: &Cell| {
            let [first, second] = cell.reads.each_ref().map(|read| read.load(Relaxed));
            [first, second, cell.write.load(Relaxed), cell.value.load(Relaxed)]
        };
        let [rows, cells] = [&self.rows, &self.cells]
            .map(|page| page.cells(&self.spare).iter().map(fields).collect::<Vec<_>>());
        assert_eq!(rows, cells);
    }
}

fn words(span: Span, epoch: Epoch) -> impl Iterator<Item = (usize, Epoch)> {
    (0..span.each * LANES).map(move |at| (at, epoch.of_lane(at / span.each)))
}

fn read_cells(cells: &[Cell], span: Span, epoch: Epoch, view: &View, found: &mut Found) {
    for (at, epoch) in words(span, epoch) {
        cells[span.first + at].note_read(epoch, view, Relaxed);
    }
    for (at, epoch) in words(span, epoch) {
        let write = cells[span.first + at].unordered_write(epoch, view);
        found.extend(write.map(|with| (at, with.0, true)));
    }
}

fn write_cells(
    cells: &[Cell],
    span: Span,
    (epoch, values): (Epoch, &[u32]),
    view: &View,
    found: &mut Found,
) {
    for (at, epoch) in words(span, epoch) {
        let (cell, value) = (&cells[span.first + at], u64::from(values[at]));
        let differs = cell.value.swap(value, Relaxed) != value;
        let before = (cell.write.swap(epoch.0, Relaxed), 0, differs);
        cell.tell(before, epoch, view, |with, wrote| found.push((at, with.0, wrote)));
    }
}

#[test]
fn rows_record_and_report_what_cells_do() {
    let mut random = 7_u64;
    let mut draw = |end: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % end
    };
    let mut by_rows = 0;
    for round in 0..300 {
        let both = Both::new();
        let mut clocks = VectorClocks::new(128);
        let began = clocks.now();
        for _ in 0..40 {
            match draw(12) {
                0 | 1 => clocks.whole_block(),
                2 if round % 4 == 0 => {
                    clocks.warp(draw(4) as u32, draw(u64::from(u32::MAX)) as u32, u32::MAX)
                }
                _ => {}
            }
            let view = View::new(&clocks, began - 1, None);
            // Most accesses of a round have the same width, so that pages keep their rows.
            let each = 1 << if draw(80) == 0 { draw(3) } else { round % 3 };
            let first = LANES * (draw(2) as usize) + if draw(120) == 0 { 1 } else { 0 };
            let span = Span { first, each };
            let tick = clocks.now() - began + 1;
            let epoch = Epoch::new(draw(3), draw(4) as u32, 32 * draw(4) as u32, tick);
            if draw(3) == 0 {
                let values: [u32; 4 * LANES] = array::from_fn(|_| draw(2) as u32);
                both.write(span, epoch, &values[..each * LANES], &view);
            } else {
                both.read(span, epoch, &view);
            }
        }
        by_rows += u32::from(both.rows.cells.get().is_none());
        both.agree();
    }
    assert!(by_rows > 50 && by_rows < 250, "{by_rows} pages of 300 kept their rows");
}
