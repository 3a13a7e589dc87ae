//! The share of each pixel that an outline covers.

use hayro::kurbo::{Point, Rect};

/// A part of the page while an outline is filled. Each edge adds its height to the pixels right of
/// it, so that the sum along a row is the covered share.
pub(super) struct Coverage {
    left: f64,
    top: f64,
    columns: usize,
    rows: usize,
    edges: Vec<f32>,
}

impl Coverage {
    pub(super) fn new(bounds: Rect) -> Self {
        let (left, top) = (bounds.x0.floor(), bounds.y0.floor());
        let columns = (bounds.x1.ceil() - left) as usize + 2;
        let rows = (bounds.y1.ceil() - top) as usize + 1;
        Self { left, top, columns, rows, edges: vec![0.0; columns * rows] }
    }

    /// Adds an edge. The edges of an outline must be closed.
    pub(super) fn line(&mut self, from: Point, to: Point) {
        if from.y == to.y {
            return;
        }
        let (sign, upper, lower) = if from.y < to.y { (1.0, from, to) } else { (-1.0, to, from) };
        let slope = (lower.x - upper.x) / (lower.y - upper.y);
        let (y0, y1) = (upper.y - self.top, lower.y - self.top);
        let mut x = upper.x - self.left;
        let first = y0.max(0.0) as usize;
        for row in first..(y1.ceil() as usize).min(self.rows) {
            let height = y1.min(row as f64 + 1.0) - y0.max(row as f64);
            if height <= 0.0 {
                continue;
            }
            let next = x + slope * height;
            self.span(row, x.min(next), x.max(next), sign * height);
            x = next;
        }
    }

    /// Adds the part of an edge in one row of pixels.
    fn span(&mut self, row: usize, left: f64, right: f64, height: f64) {
        let start = row * self.columns;
        let first = (left.max(0.0) as usize).min(self.columns - 2);
        let last = (right.ceil().max(0.0) as usize).clamp(first + 1, self.columns - 1);
        for column in first..last {
            let (from, to) = (left.max(column as f64), right.min(column as f64 + 1.0));
            let part = if right > left { height * (to - from) / (right - left) } else { height };
            let middle = from.midpoint(to) - column as f64;
            self.edges[start + column] += (part * (1.0 - middle)) as f32;
            self.edges[start + column + 1] += (part * middle) as f32;
        }
    }

    /// Returns the covered pixels with their share.
    pub(super) fn pixels(&self) -> impl Iterator<Item = (i64, i64, f32)> {
        let (left, top) = (self.left as i64, self.top as i64);
        self.edges.chunks_exact(self.columns).zip(top..).flat_map(move |(row, y)| {
            let mut sum = 0.0_f32;
            row.iter().zip(left..).filter_map(move |(edge, x)| {
                sum += edge;
                let covered = sum.abs().min(1.0);
                (covered > 0.0).then_some((x, y, covered))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_parts_of_pixels() {
        let mut coverage = Coverage::new(Rect::new(0.5, 0.0, 2.0, 1.5));
        let corners = [(0.5, 0.0), (2.0, 0.0), (2.0, 1.5), (0.5, 1.5), (0.5, 0.0)];
        for edge in corners.windows(2) {
            coverage.line(edge[0].into(), edge[1].into());
        }
        let pixels: Vec<_> = coverage.pixels().filter(|(_, _, covered)| *covered > 0.001).collect();
        assert_eq!(pixels, [(0, 0, 0.5), (1, 0, 1.0), (0, 1, 0.25), (1, 1, 0.5)]);
    }

    #[test]
    fn a_slanted_edge_covers_half_of_its_square() {
        let mut coverage = Coverage::new(Rect::new(0.0, 0.0, 4.0, 4.0));
        let corners = [(0.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)];
        for edge in corners.windows(2) {
            coverage.line(edge[0].into(), edge[1].into());
        }
        let sum: f32 = coverage.pixels().map(|(_, _, covered)| covered).sum();
        assert!((sum - 8.0).abs() < 0.01, "{sum}");
    }
}
