//! Draws form fields and marks on text that a PDF stores without an appearance stream, so that each reader displays them
//! in its own way (ISO 32000-2 §12.5.6, §12.7.4.3). The result is drawing commands in the
//! coordinates of the page.

use hayro::hayro_syntax::object::Rect;

use super::helvetica::{literal, width};

/// Distance between the edge of a field and its text, in points.
const PADDING: f64 = 2.0;
const LEADING: f64 = 1.15;
/// Largest automatic font size, in points.
const AUTO_SIZE: f64 = 12.0;
/// Smallest readable font size, in points.
const SIZE_MIN: f64 = 4.0;

/// How a field displays its value (its DA, Q and flags).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Writing {
    /// Font size; 0: automatic, at most [`AUTO_SIZE`].
    pub(super) size: f64,
    /// The command that sets the colour.
    pub(super) colour: String,
    /// Alignment: 0 left, 1 centre, 2 right.
    pub(super) align: i32,
    pub(super) lines: Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
    /// One letter in each of this many cells.
    Comb(usize),
}

impl Writing {
    /// Parses an appearance string such as `/Helv 9 Tf 0 0 1 rg`. The size and colour are used; the
    /// font is always Helvetica.
    pub(super) fn of(appearance: &str, align: i32, lines: Lines) -> Self {
        let words: Vec<&str> = appearance.split_ascii_whitespace().collect();
        // Rust parses `NaN` and `inf`, which are not numbers in a PDF.
        let finite = |word: &&str| word.parse().ok().filter(|number: &f64| number.is_finite());
        let before = |at: usize, count: usize| -> Option<Vec<f64>> {
            words[at.checked_sub(count)?..at].iter().map(finite).collect()
        };
        let mut writing = Self { size: 0.0, colour: "0 g".to_owned(), align, lines };
        for (at, word) in words.iter().enumerate() {
            let count = match *word {
                "Tf" | "g" => 1,
                "rg" => 3,
                "k" => 4,
                _ => continue,
            };
            let Some(numbers) = before(at, count) else { continue };
            if *word == "Tf" {
                writing.size = numbers[0].abs();
            } else {
                writing.colour = words[at - count..=at].join(" ");
            }
        }
        writing
    }
}

/// The drawing commands of one page. Strings are encoded; operands of colours are finite numbers.
#[derive(Default)]
pub(super) struct Ink(Vec<u8>);

impl Ink {
    pub(super) fn into_commands(self) -> Vec<u8> {
        self.0
    }

    fn push_command(&mut self, commands: &str) {
        self.0.extend(commands.bytes());
        self.0.push(b'\n');
    }

    pub(super) fn fill(&mut self, at: &Rect, [red, green, blue]: [f64; 3]) {
        let (w, h) = (at.width(), at.height());
        self.push_command(&format!("q {red} {green} {blue} rg {} {} {w} {h} re f Q", at.x0, at.y0));
    }

    /// Colours a part of the page transparently, like a highlighter.
    pub(super) fn mark(&mut self, corners: &[[f64; 2]], [red, green, blue]: [f64; 3]) {
        self.push_command(&format!("q /Multiply gs {red} {green} {blue} rg"));
        self.path(corners);
        self.push_command("h f Q");
    }

    fn path(&mut self, points: &[[f64; 2]]) {
        for (at, [x, y]) in points.iter().enumerate() {
            self.push_command(&format!("{x} {y} {}", if at == 0 { "m" } else { "l" }));
        }
    }

    pub(super) fn line(
        &mut self,
        points: &[[f64; 2]],
        width: f64,
        [red, green, blue]: [f64; 3],
        closed: bool,
    ) {
        self.push_command(&format!("q {red} {green} {blue} RG {width} w 1 J 1 j"));
        self.path(points);
        self.push_command(if closed { "h S Q" } else { "S Q" });
    }

    pub(super) fn ellipse(&mut self, at: &Rect, width: f64, [red, green, blue]: [f64; 3]) {
        self.push_command(&format!("q {red} {green} {blue} RG {width} w"));
        self.round(at);
        self.push_command("S Q");
    }

    fn round(&mut self, at: &Rect) {
        let (x, y) = (f64::midpoint(at.x0, at.x1), f64::midpoint(at.y0, at.y1));
        let (rx, ry) = (at.width() / 2.0, at.height() / 2.0);
        // Four Bézier curves. This is the distance of their control points.
        let (hx, hy) = (rx * 0.5523, ry * 0.5523);
        self.push_command(&format!("{} {y} m", x + rx));
        let mut curve = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            self.push_command(&format!("{} {} {} {} {} {} c", a[0], a[1], b[0], b[1], c[0], c[1]));
        };
        curve([x + rx, y + hy], [x + hx, y + ry], [x, y + ry]);
        curve([x - hx, y + ry], [x - rx, y + hy], [x - rx, y]);
        curve([x - rx, y - hy], [x - hx, y - ry], [x, y - ry]);
        curve([x + hx, y - ry], [x + rx, y - hy], [x + rx, y]);
    }

    /// Draws the edge of a box or of a radio button.
    pub(super) fn outline(&mut self, at: &Rect, is_round: bool) {
        let inner = Rect::new(at.x0 + 0.5, at.y0 + 0.5, at.x1 - 0.5, at.y1 - 0.5);
        let Rect { x0, y0, x1, y1 } = inner;
        if is_round {
            self.ellipse(&inner, 1.0, [0.0; 3]);
        } else {
            self.line(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 1.0, [0.0; 3], true);
        }
    }

    /// Fills the inside of a drawn annotation.
    pub(super) fn fill_shape(&mut self, corners: &[[f64; 2]], [red, green, blue]: [f64; 3]) {
        self.push_command(&format!("q {red} {green} {blue} rg"));
        self.path(corners);
        self.push_command("h f Q");
    }

    pub(super) fn fill_ellipse(&mut self, at: &Rect, [red, green, blue]: [f64; 3]) {
        self.push_command(&format!("q {red} {green} {blue} rg"));
        self.round(at);
        self.push_command("h f Q");
    }

    /// Draws the tick of a box or the dot of a radio button.
    pub(super) fn tick(&mut self, at: &Rect, is_round: bool) {
        let point = |x: f64, y: f64| [at.x0 + at.width() * x, at.y0 + at.height() * y];
        if is_round {
            let [x0, y0] = point(0.25, 0.25);
            let [x1, y1] = point(0.75, 0.75);
            self.push_command("q 0 g");
            self.round(&Rect::new(x0, y0, x1, y1));
            self.push_command("f Q");
        } else {
            let width = at.width().min(at.height()) * 0.12;
            let check = [point(0.2, 0.5), point(0.42, 0.25), point(0.8, 0.78)];
            self.line(&check, width, [0.0; 3], false);
        }
    }

    /// Writes a text; returns false if the font lacks a letter or the text does not fit.
    pub(super) fn write(&mut self, text: &str, at: &Rect, writing: &Writing) -> bool {
        let Some((size, lines)) = fit(text, at, writing) else { return false };
        let mut placed = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let (x, y) = match writing.lines {
                Lines::Many => {
                    let below = LEADING * size * (number as f64);
                    (start(line, size, at, writing), at.y1 - PADDING - size * 0.9 - below)
                }
                _ => {
                    let middle = f64::midpoint(at.y0, at.y1);
                    (start(line, size, at, writing), middle - size * 0.35)
                }
            };
            if let Lines::Comb(cells) = writing.lines {
                let cell = at.width() / cells as f64;
                for (index, letter) in line.chars().enumerate() {
                    let letter = letter.to_string();
                    let inset = (cell - width(&letter, size)) / 2.0;
                    placed.push((at.x0 + cell * index as f64 + inset, y, letter));
                }
            } else {
                placed.push((x, y, line.clone()));
            }
        }
        let mut commands = Vec::new();
        for (x, y, line) in placed {
            let Some(letters) = literal(&line) else { return false };
            commands.extend(format!("1 0 0 1 {x} {y} Tm ").bytes());
            commands.extend(letters);
            commands.extend(b" Tj\n");
        }
        let (w, h) = (at.width(), at.height());
        self.push_command(&format!("q {} {} {w} {h} re W n BT {}", at.x0, at.y0, writing.colour));
        self.push_command(&format!("/Helvetica {size} Tf"));
        self.0.extend(commands);
        self.push_command("ET Q");
        true
    }
}

fn start(line: &str, size: f64, at: &Rect, writing: &Writing) -> f64 {
    let room = at.width() - width(line, size);
    match writing.align {
        1 => at.x0 + room / 2.0,
        2 => at.x1 - PADDING - width(line, size),
        _ => at.x0 + PADDING,
    }
}

/// Returns the first size at which the text fits, from the preferred size down, and its lines.
fn fit(text: &str, at: &Rect, writing: &Writing) -> Option<(f64, Vec<String>)> {
    let room = (at.width() - 2.0 * PADDING, at.height() - 2.0 * PADDING);
    let preferred = match writing.lines {
        _ if writing.size > 0.0 => writing.size,
        Lines::Many => AUTO_SIZE,
        Lines::One | Lines::Comb(_) => AUTO_SIZE.min(at.height() * 0.7),
    };
    let mut size = preferred.max(SIZE_MIN);
    loop {
        let lines = match writing.lines {
            Lines::Many => wrap(text, size, room.0),
            Lines::One | Lines::Comb(_) => {
                vec![text.split_whitespace().collect::<Vec<_>>().join(" ")]
            }
        };
        let fits = match writing.lines {
            Lines::Many => LEADING * size * lines.len() as f64 <= room.1 + size * 0.3,
            Lines::One => width(&lines[0], size) <= room.0 && size * 0.7 <= at.height(),
            Lines::Comb(cells) => lines[0].chars().count() <= cells,
        };
        if fits {
            return Some((size, lines));
        }
        if size <= SIZE_MIN || matches!(writing.lines, Lines::Comb(_)) {
            return None;
        }
        size = (size * 0.9).max(SIZE_MIN);
    }
}

fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer, size) <= room || line.is_empty() {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writing(appearance: &str, lines: Lines) -> Writing {
        Writing::of(appearance, 0, lines)
    }

    #[test]
    fn reads_size_and_colour_from_the_appearance_string() {
        let parsed = writing("/Helv 9.5 Tf 0 0 1 rg", Lines::One);
        assert_eq!((parsed.size, parsed.colour.as_str()), (9.5, "0 0 1 rg"));
        let hostile = writing("Tf q rg (x) Tj 1 g", Lines::One);
        assert_eq!((hostile.size, hostile.colour.as_str()), (0.0, "1 g"));
        assert_eq!(writing("", Lines::One).colour, "0 g");
    }

    #[test]
    fn writes_only_texts_that_fit() {
        let field = Rect::new(0.0, 0.0, 100.0, 20.0);
        let mut ink = Ink::default();
        assert!(ink.write("12.50 €", &field, &writing("/F 0 Tf", Lines::One)));
        assert!(!ink.write(&"a long sentence ".repeat(9), &field, &writing("", Lines::One)));
        assert!(!ink.write("رسوم", &field, &writing("", Lines::One)));
        assert!(ink.write("123", &field, &writing("", Lines::Comb(3))));
        assert!(!ink.write("1234", &field, &writing("", Lines::Comb(3))));
        assert!(ink.write("one\ntwo", &Rect::new(0.0, 0.0, 90.0, 40.0), &writing("", Lines::Many)));
    }
}
