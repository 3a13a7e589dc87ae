//! Sets sentences and tables on a page, by random typography.

use std::fmt::Write as _;

use super::super::helvetica;
use super::model::{Look, Mark, Sentence};
use super::paper::{Annotation, Paper, SIZE};
use super::random::Random;

pub(super) const MARGIN: f64 = 24.0;

/// The part of a page that is being filled.
pub(super) struct Setter {
    pub(super) paper: Paper,
    pub(super) size: f64,
    pub(super) leading: f64,
    pub(super) left: f64,
    pub(super) width: f64,
    pub(super) y: f64,
}

/// The commands that show a text.
pub(super) fn shown(x: f64, y: f64, size: f64, font: char, text: &str) -> String {
    let literal = helvetica::literal(text).expect("letters of Helvetica");
    let literal = String::from_utf8(literal).expect("ASCII");
    format!("BT /{font} {size:.2} Tf {x:.2} {y:.2} Td {literal} Tj ET\n")
}

impl Setter {
    /// Sets a sentence; returns false if the page is full.
    pub(super) fn set(&mut self, sentence: &Sentence, random: &mut Random) -> bool {
        let space = helvetica::width(" ", self.size);
        let lines = self.lines(sentence, random);
        if self.y - self.leading * lines.len() as f64 <= MARGIN {
            return false;
        }
        let (_, mark) = sentence.mark;
        let is_slanted = sentence.look == Look::Spans && random.is(50);
        let is_by_words = random.is(30) || sentence.look == Look::Spans;
        let (top, mut right) = (self.y, self.left);
        let mut units = Vec::new();
        for (first, line) in lines.iter().enumerate() {
            self.y -= self.leading;
            let mut x = self.left;
            let mut out = String::new();
            if first == 0 && (mark.is_before() || sentence.look == Look::Bullet) {
                x += self.sign(mark, x, random, &mut out) + space;
            }
            let has_mark = mark != Mark::None && line.iter().any(|w| w == sentence.marked_word());
            let font = if is_slanted { 'O' } else { 'F' };
            if !is_by_words && !has_mark {
                let text = line.join(" ");
                out += &shown(x, self.y, self.size, font, &text);
                x += helvetica::width(&text, self.size);
            } else {
                for word in line {
                    let is_other = sentence.look == Look::Spans && random.is(20);
                    let scale = if is_other { random.between(0.88, 1.1) } else { 1.0 };
                    x = if has_mark && word == sentence.marked_word() && !mark.is_before() {
                        self.marked(mark, word, x, random, &mut out)
                    } else {
                        out += &shown(x, self.y, self.size * scale, font, word);
                        x + helvetica::width(word, self.size * scale)
                    } + space;
                }
                x -= space;
            }
            if first == 0 {
                self.decorate_line(sentence.look, x, &mut out);
            }
            right = right.max(x);
            units.push(out);
        }
        self.decorate(sentence.look, [self.left, self.y, right, top]);
        self.add(sentence.look, units);
        self.y -= self.leading * random.between(0.6, 1.2);
        true
    }

    /// Adds the lines of a sentence to the page.
    fn add(&mut self, look: Look, units: Vec<String>) {
        match look {
            Look::Layer | Look::LayerOff => {
                let layer = if look == Look::Layer { "On" } else { "Off" };
                self.paper.units.push(format!("/OC /{layer} BDC\n{}EMC\n", units.concat()));
            }
            Look::Group => {
                self.paper.units.push(format!("/X{} Do\n", self.paper.groups.len()));
                self.paper.groups.push(units.concat());
            }
            _ => self.paper.units.extend(units),
        }
    }

    fn decorate_line(&mut self, look: Look, right: f64, out: &mut String) {
        let (y, size, left) = (self.y, self.size, self.left);
        if look == Look::Underlined {
            let low = y - 0.14 * size;
            let _ = writeln!(out, "0.6 w {left:.2} {low:.2} m {right:.2} {low:.2} l S");
        } else if look == Look::Highlighted {
            let area = [left - 1.0, y - 0.25 * size, right + 1.0, y + 0.85 * size];
            let [x0, y0, x1, y1] = area;
            self.paper.annotations.push(Annotation {
                entries: format!(
                    "/Subtype/Highlight/C[1 1 0]/QuadPoints[{x0:.2} {y1:.2} {x1:.2} {y1:.2} {x0:.2} \
                     {y0:.2} {x1:.2} {y0:.2}]"
                ),
                area,
                appearance: Some(format!(
                    "/M gs 1 1 0 rg {x0:.2} {y0:.2} {:.2} {:.2} re f",
                    x1 - x0,
                    y1 - y0
                )),
            });
        }
    }

    fn decorate(&mut self, look: Look, [left, bottom, right, top]: [f64; 4]) {
        let (wide, high) = (right - left + 6.0, top - bottom + 0.5 * self.size);
        let (bottom, left) = (bottom - 0.4 * self.size, left - 3.0);
        let area = format!("{left:.2} {bottom:.2} {wide:.2} {high:.2} re");
        let _ = match look {
            Look::Tinted => writeln!(self.paper.under, "q 0.9 g {area} f Q"),
            Look::Framed => writeln!(self.paper.under, "0.7 w {area} S"),
            _ => Ok(()),
        };
    }

    /// Draws a sign before a sentence and returns its width.
    fn sign(&mut self, mark: Mark, x: f64, random: &mut Random, out: &mut String) -> f64 {
        let (y, size) = (self.y, self.size);
        let side = 0.75 * size;
        let _ = match mark {
            Mark::Field(is_ticked) => {
                self.paper.boxes.push(([x, y, x + side, y + side], is_ticked));
                return side;
            }
            Mark::Box => writeln!(out, "0.8 w {x:.2} {y:.2} {side:.2} {side:.2} re S"),
            Mark::Ticked => {
                let (right, top) = (x + side, y + side);
                writeln!(
                    out,
                    "0.8 w {x:.2} {y:.2} {side:.2} {side:.2} re S {x:.2} {y:.2} m {right:.2} {top:.2} l S \
                     {x:.2} {top:.2} m {right:.2} {y:.2} l S"
                )
            }
            // A bullet.
            _ => {
                let (dot, low) = (size * random.between(0.25, 0.4), y + 0.2 * size);
                writeln!(out, "{x:.2} {low:.2} {dot:.2} {dot:.2} re f")
            }
        };
        side
    }

    /// Divides a sentence into lines. A word with a hyphen may be divided after it.
    fn lines(&self, sentence: &Sentence, random: &mut Random) -> Vec<Vec<String>> {
        let mut lines: Vec<Vec<String>> = vec![Vec::new()];
        let width = |words: &[String]| helvetica::width(&words.join(" "), self.size);
        // Room for a box or a raised number, and for words of other sizes.
        let wider = if sentence.look == Look::Spans { 0.93 } else { 1.0 };
        let room = self.width * wider - 2.0 * self.size;
        for word in &sentence.words {
            let last = lines.last_mut().expect("a line");
            last.push(word.clone());
            if width(last) <= room {
                continue;
            }
            last.pop();
            let is_marked = word == sentence.marked_word();
            if let Some((start, end)) = word.split_once('-').filter(|_| !is_marked) {
                last.push(format!("{start}-"));
                if width(last) <= room && random.is(70) {
                    lines.push(vec![end.to_owned()]);
                    continue;
                }
                last.pop();
            }
            lines.push(vec![word.clone()]);
        }
        lines
    }

    /// Shows a word with its mark and returns its right edge.
    fn marked(
        &mut self,
        mark: Mark,
        word: &str,
        x: f64,
        random: &mut Random,
        out: &mut String,
    ) -> f64 {
        let (y, size) = (self.y, self.size);
        let right = x + helvetica::width(word, size);
        match mark {
            Mark::Picture => {
                let (wide, high) = (right - x, 0.72 * size);
                let _ = writeln!(
                    out,
                    "q {wide:.2} 0 0 {high:.2} {x:.2} {y:.2} cm BI /W 8 /H 8 /CS /G /BPC 1 /F /AHx ID \
                     A56699C35A96695A> EI Q"
                );
                return right;
            }
            Mark::Outlined => {
                let (stem, step) = (0.09 * size, 0.3 * size);
                let mut at = x;
                while at + stem < right {
                    let high = size * random.between(0.5, 0.72);
                    let _ = writeln!(out, "{at:.2} {y:.2} {stem:.2} {high:.2} re f");
                    at += step;
                }
                return right;
            }
            Mark::Point => {
                let half = word.char_indices().nth(3).map_or(word.len(), |(at, _)| at);
                let (start, end) = word.split_at(half);
                *out += &shown(x, y, size, 'F', start);
                let (dot, from) = (0.1 * size, x + helvetica::width(start, size) + 0.09 * size);
                let _ = writeln!(out, "{from:.2} {y:.2} {dot:.2} {dot:.2} re f");
                let from = from + 0.19 * size;
                *out += &shown(from, y, size, 'F', end);
                return from + helvetica::width(end, size);
            }
            _ => *out += &shown(x, y, size, 'F', word),
        }
        let raised = |text: &str, rise: f64, random: &mut Random, out: &mut String| {
            let small = size * random.between(0.55, 0.7);
            *out += &shown(right, y + rise * size, small, 'F', text);
            right + helvetica::width(text, small)
        };
        match mark {
            Mark::Raised(digit) => {
                let rise = random.between(0.3, 0.45);
                raised(&digit.to_string(), rise, random, out)
            }
            Mark::Ordinal => raised("st", random.between(0.3, 0.45), random, out),
            Mark::Lowered => raised("2", random.between(-0.25, -0.12), random, out),
            _ => {
                self.over(mark, [x, right], random, out);
                right
            }
        }
    }

    /// Draws a mark over a word.
    fn over(&mut self, mark: Mark, [left, right]: [f64; 2], random: &mut Random, out: &mut String) {
        let (y, size) = (self.y, self.size);
        let middle = y + size * random.between(0.22, 0.32);
        let weight = random.between(0.5, 1.4);
        let (low, high, wide) = (y - 0.25 * size, y + 0.85 * size, right - left);
        let area = format!("{left:.2} {low:.2} {wide:.2} {:.2} re", high - low);
        let rule = format!("{weight:.2} w {left:.2} {middle:.2} m {right:.2} {middle:.2} l S");
        let _ = match mark {
            Mark::Struck => writeln!(out, "{rule}"),
            Mark::Dashed => writeln!(out, "q [{:.2}] 0 d {rule} Q", random.between(1.5, 4.0)),
            Mark::Slanted => {
                let top = y + 0.7 * size;
                writeln!(out, "{weight:.2} w {left:.2} {y:.2} m {right:.2} {top:.2} l S")
            }
            Mark::Crossed => {
                let top = y + 0.7 * size;
                writeln!(
                    out,
                    "{weight:.2} w {left:.2} {y:.2} m {right:.2} {top:.2} l S {left:.2} {top:.2} m \
                     {right:.2} {y:.2} l S"
                )
            }
            Mark::Wave => {
                let _ = write!(out, "{weight:.2} w {left:.2} {middle:.2} m ");
                let (mut x, mut up) = (left, 0.25 * size);
                while x < right {
                    x += 0.25 * size;
                    let _ = write!(out, "{x:.2} {:.2} l ", middle + up);
                    up = -up;
                }
                writeln!(out, "S")
            }
            Mark::Typed => {
                let count = (wide / helvetica::width("-", size)) as usize;
                *out += &shown(left, y, size, 'F', &"-".repeat(count.max(1)));
                Ok(())
            }
            Mark::Covered => writeln!(out, "q 1 g {area} f Q"),
            Mark::Retyped => {
                let _ = writeln!(out, "q 1 g {area} f Q");
                *out += &shown(left + 0.1 * size, y, size, 'F', "xyz");
                Ok(())
            }
            Mark::Bar => writeln!(out, "q 0 g {area} f Q"),
            Mark::StrikeOut | Mark::Square => {
                let is_square = mark == Mark::Square;
                self.paper.annotations.push(Annotation {
                    entries: if is_square {
                        "/Subtype/Square/C[0 0 0]/IC[0 0 0]".to_owned()
                    } else {
                        format!(
                            "/Subtype/StrikeOut/QuadPoints[{left:.2} {high:.2} {right:.2} {high:.2} \
                             {left:.2} {low:.2} {right:.2} {low:.2}]"
                        )
                    },
                    area: [left, low, right, high],
                    appearance: (!is_square).then_some(rule),
                });
                Ok(())
            }
            _ => Ok(()),
        };
    }

    /// Sets a table with or without rules; returns false if the page is full.
    pub(super) fn table(&mut self, rows: &[Sentence], random: &mut Random) -> bool {
        let columns = rows[0].words.len();
        let (step, high) = (self.width / columns as f64, 1.6 * self.size);
        if self.y - high * (rows.len() as f64 + 1.0) <= MARGIN {
            return false;
        }
        let (top, bottom) = (self.y, self.y - high * rows.len() as f64);
        if random.is(60) {
            let right = self.left + self.width;
            for row in 0..=rows.len() {
                let y = top - high * row as f64;
                let _ = writeln!(
                    self.paper.under,
                    "0.7 w {:.2} {y:.2} m {right:.2} {y:.2} l S",
                    self.left
                );
            }
            for column in 0..=columns {
                let x = self.left + step * column as f64;
                let _ =
                    writeln!(self.paper.under, "0.7 w {x:.2} {top:.2} m {x:.2} {bottom:.2} l S");
            }
        }
        for row in rows {
            self.y -= high;
            let (line, mut out) = (self.y, String::new());
            self.y += 0.5 * self.size;
            for (column, word) in row.words.iter().enumerate() {
                let x = self.left + step * column as f64 + 0.4 * self.size;
                if column == row.mark.0 && row.mark.1 != Mark::None {
                    self.marked(row.mark.1, word, x, random, &mut out);
                } else {
                    out += &shown(x, self.y, self.size, 'F', word);
                }
            }
            self.y = line;
            self.paper.units.push(out);
        }
        self.y -= self.leading;
        true
    }
}

/// Sets the running head and the page number.
pub(super) fn margins(paper: &mut Paper, number: usize, pages: usize) {
    let foot = format!("Page {number} / {pages}");
    let right = SIZE[0] - MARGIN - helvetica::width(&foot, 7.0);
    let head = shown(MARGIN, SIZE[1] - 16.0, 7.0, 'F', "Norstol Couriers: general terms");
    paper.units.insert(0, head);
    paper.units.push(shown(right, 9.0, 7.0, 'F', &foot));
}
