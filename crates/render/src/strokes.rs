//! The straight strokes of a page, which are used for tables and frames, and its pictures.

use hayro::hayro_interpret::DrawMode;
use hayro::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

/// Maximum thickness of a rule, in pixels of the 1x image.
const THICK_PX: f64 = 4.0;

/// Minimum length of a rule. Shorter strokes are parts of letters and signs.
const LENGTH_PX: f64 = 12.0;

/// Maximum number of strokes. A drawing with more is not a table.
const STROKES_MAX: usize = 5_000;

/// Horizontal and vertical strokes, and pictures; in pixels of the 1x image.
#[derive(Debug, Clone, Default)]
pub(super) struct Strokes {
    pub(super) level: Vec<Rect>,
    pub(super) upright: Vec<Rect>,
    pub(super) pictures: Vec<Rect>,
}

impl Strokes {
    pub(super) fn add(&mut self, over: Self) {
        self.level.extend(over.level);
        self.upright.extend(over.upright);
        self.pictures.extend(over.pictures);
    }

    pub(super) fn picture(&mut self, area: Rect, page: &Rect) {
        let area = area.intersect(*page);
        if area.area() > 0.0 && self.pictures.len() < STROKES_MAX {
            self.pictures.push(area);
        }
    }

    pub(super) fn path(&mut self, path: &BezPath, transform: Affine, mode: &DrawMode) {
        if matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..)) {
            self.line(transform.transform_rect_bbox(path.bounding_box()));
        }
        if !matches!(mode, DrawMode::Stroke(_) | DrawMode::FillAndStroke(..)) {
            return;
        }
        let (mut first, mut last) = (Point::ZERO, Point::ZERO);
        for element in path.elements() {
            let next = match *element {
                PathEl::MoveTo(point) => {
                    (first, last) = (point, point);
                    continue;
                }
                PathEl::LineTo(point) => point,
                PathEl::ClosePath => first,
                PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                    last = point;
                    continue;
                }
            };
            self.line(Rect::from_points(transform * last, transform * next));
            last = next;
        }
    }

    fn line(&mut self, area: Rect) {
        if !area.is_finite() || self.level.len() + self.upright.len() >= STROKES_MAX {
            return;
        }
        if area.height() <= THICK_PX && area.width() >= LENGTH_PX {
            self.level.push(area);
        } else if area.width() <= THICK_PX && area.height() >= LENGTH_PX {
            self.upright.push(area);
        }
    }
}
