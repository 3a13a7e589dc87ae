//! The marks on the page, placed from the top down. The page grows if its content exceeds A4, so
//! that a certificate always has one page.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;

use super::writing::{Line, Style, lines};

pub const WIDTH: f32 = 595.0;
const HEIGHT_MIN: f32 = 842.0;
pub const MARGIN: f32 = 52.0;
/// The height of a line, relative to the font size.
const LEADING: f32 = 1.42;
/// The distance from the top of a line to its baseline, relative to the font size.
const ASCENT: f32 = 1.07;

pub const INK: Colour = Colour(0x14, 0x18, 0x1f);
pub const MUTED: Colour = Colour(0x4a, 0x51, 0x60);
pub const ACCENT: Colour = Colour(0x0e, 0x4d, 0xe2);
pub const GOOD: Colour = Colour(0x24, 0x74, 0x59);
pub const BAD: Colour = Colour(0x8c, 0x22, 0x27);
pub const RULE: Colour = Colour(0xd3, 0xd7, 0xde);
pub const TINT: Colour = Colour(0xf3, 0xf4, 0xf7);

#[derive(Debug, Clone, Copy)]
pub struct Colour(pub u8, pub u8, pub u8);

enum Mark {
    Box { x: f32, y: f32, width: f32, height: f32, colour: Colour },
    Outline { path: Path, colour: Colour },
    Text { x: f32, y: f32, size: f32, line: Line, colour: Colour },
}

/// The sheet. Horizontal positions are measured from the side on which reading starts, which is the
/// right side for languages that are read from right to left.
pub struct Sheet {
    marks: Vec<Mark>,
    rtl: bool,
    pub y: f32,
}

/// The area of a text.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The distance from the side on which reading starts.
    pub start: f32,
    pub width: f32,
    pub lines_max: usize,
}

impl Sheet {
    pub fn new(rtl: bool) -> Self {
        Self { marks: Vec::new(), rtl, y: MARGIN }
    }

    fn left_edge(&self, start: f32, width: f32) -> f32 {
        if self.rtl { WIDTH - start - width } else { start }
    }

    /// Sets a word at the end of a column without moving down.
    pub fn word_at_end(&mut self, text: &str, style: Style, colour: Colour, column: Column) {
        for line in lines(text, style, column.width, 1) {
            let start = column.start + column.width - line.width;
            let (x, y) = (self.left_edge(start, line.width), self.y + style.size * ASCENT);
            self.marks.push(Mark::Text { x, y, size: style.size, line, colour });
        }
    }

    /// Sets a text and moves below it.
    pub fn text(&mut self, text: &str, style: Style, colour: Colour, column: Column) {
        let size = style.size;
        for line in lines(text, style, column.width, column.lines_max) {
            let inset = if self.rtl { column.width - line.width } else { 0.0 };
            let x = self.left_edge(column.start, column.width) + inset;
            self.marks.push(Mark::Text { x, y: self.y + size * ASCENT, size, line, colour });
            self.y += size * LEADING;
        }
    }

    pub fn fill(&mut self, start: f32, y: f32, width: f32, height: f32, colour: Colour) {
        let x = self.left_edge(start, width);
        self.marks.push(Mark::Box { x, y, width, height, colour });
    }

    /// Inserts a background behind everything that was set since `mark` was returned.
    pub fn ground(&mut self, mark: usize, y: f32, height: f32, colour: Colour) {
        let (x, width) = (MARGIN, WIDTH - 2.0 * MARGIN);
        self.marks.insert(mark, Mark::Box { x, y, width, height, colour });
    }

    pub fn mark(&self) -> usize {
        self.marks.len()
    }

    /// Draws a tick or a cross in a square. It is never mirrored.
    pub fn sign(&mut self, start: f32, y: f32, side: f32, good: bool) {
        let x = self.left_edge(start, side);
        let corners: &[(f32, f32)] = if good {
            &[(0.0, 0.54), (0.14, 0.40), (0.37, 0.63), (0.86, 0.14), (1.0, 0.28), (0.37, 0.91)]
        } else {
            &[
                (0.1, 0.24),
                (0.24, 0.1),
                (0.5, 0.36),
                (0.76, 0.1),
                (0.9, 0.24),
                (0.64, 0.5),
                (0.9, 0.76),
                (0.76, 0.9),
                (0.5, 0.64),
                (0.24, 0.9),
                (0.1, 0.76),
                (0.36, 0.5),
            ]
        };
        let mut path = PathBuilder::new();
        for (at, (dx, dy)) in corners.iter().enumerate() {
            let (x, y) = (x + dx * side, y + dy * side);
            if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
        let colour = if good { GOOD } else { BAD };
        self.marks.extend(path.finish().map(|path| Mark::Outline { path, colour }));
    }

    /// Draws the dark squares of a QR code with a total width of `side`. It is never mirrored.
    pub fn squares(
        &mut self,
        start: f32,
        y: f32,
        side: f32,
        count: i32,
        dark: impl Fn(i32, i32) -> bool,
    ) {
        let x = self.left_edge(start, side);
        let step = side / count as f32;
        let mut path = PathBuilder::new();
        for row in 0..count {
            for column in (0..count).filter(|&column| dark(column, row)) {
                let (x, y) = (x + column as f32 * step, y + row as f32 * step);
                if let Some(square) = Rect::from_xywh(x, y, step, step) {
                    path.push_rect(square);
                }
            }
        }
        self.marks.extend(path.finish().map(|path| Mark::Outline { path, colour: INK }));
    }

    pub fn draw(self, document: &mut Document) {
        let height = HEIGHT_MIN.max(self.y + MARGIN);
        let Some(settings) = PageSettings::from_wh(WIDTH, height) else { return };
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in self.marks {
            draw(&mut surface, mark);
        }
        surface.finish();
        page.finish();
    }
}

fn draw(surface: &mut Surface<'_>, mark: Mark) {
    let fill = |Colour(red, green, blue)| {
        Some(Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() })
    };
    match mark {
        Mark::Box { x, y, width, height, colour } => {
            let mut path = PathBuilder::new();
            if let Some(area) = Rect::from_xywh(x, y, width, height) {
                path.push_rect(area);
            }
            surface.set_fill(fill(colour));
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Outline { path, colour } => {
            surface.set_fill(fill(colour));
            surface.draw_path(&path);
        }
        Mark::Text { mut x, y, size, line, colour } => {
            surface.set_fill(fill(colour));
            for run in line.runs {
                let at = Point::from_xy(x, y);
                surface.draw_glyphs(
                    at,
                    &run.glyphs,
                    run.face.drawn.clone(),
                    &run.text,
                    size,
                    false,
                );
                x += run.width;
            }
        }
    }
}
