//! Finds the labels of drawings: names and values of bars, numbers on a scale, a number in a
//! circle. Without the drawing, they have no meaning or another one.

use std::collections::HashMap;

use hayro::kurbo::Rect;

use super::glyphs::Glyph;
use super::lines;
use super::paragraphs::{self, Paragraph};

/// Maximum height of a bar, in pixels of the 1x image.
const BAR_PX: f64 = 44.0;

/// Maximum difference between the starts of bars in one chart, and maximum distance between the
/// bars.
const SAME_EDGE_PX: f64 = 6.0;
const BARS_APART_PX: f64 = 64.0;

/// Maximum length of a bar's name, and of a number on a scale.
const NAME_CHARS: usize = 48;
const TICK_CHARS: usize = 16;

/// Maximum length of the number of a part, and its maximum distance from the drawing, in font
/// sizes.
const NUMBER_CHARS: usize = 2;
const NUMBER_EM: f64 = 2.0;

/// Maximum font size of a scale relative to the text, and its maximum distance from the drawing.
const TICK_SIZE: f32 = 0.92;
const TICK_EM: f64 = 1.6;

/// A paragraph that may be a label.
struct Label {
    area: Rect,
    size: f64,
    chars: usize,
    /// Length of the longest piece on its line; `None` for running text.
    ticks: Option<usize>,
    small: bool,
}

/// Returns the figures, extended by their labels.
pub(super) fn with_labels(mut figures: Vec<Rect>, letters: &[Glyph]) -> Vec<Rect> {
    let labels = labels(&figures, letters);
    for figure in &mut figures {
        let own = *figure;
        for label in labels.iter().filter(|label| belongs(label, &own)) {
            // A number in a circle needs room for the circle.
            *figure = figure.union(label.area.inflate(0.3 * label.size, 0.2 * label.size));
        }
    }
    figures
}

/// Returns the paragraphs outside the figures that may be their labels.
fn labels(figures: &[Rect], letters: &[Glyph]) -> Vec<Label> {
    if figures.is_empty() {
        return Vec::new();
    }
    let outside = |glyph: &&Glyph| {
        !glyph.furniture && !glyph.turned && !figures.iter().any(|figure| glyph.is_in(figure))
    };
    let free: Vec<Glyph> = letters.iter().filter(outside).cloned().collect();
    let usual = usual_size(letters);
    let rows = paragraphs::paragraphs(lines::rows(free));
    rows.iter().filter_map(|row| label(row, usual)).collect()
}

/// Returns the font size of most letters, rounded to half pixels.
fn usual_size(letters: &[Glyph]) -> f32 {
    let mut counts: HashMap<i32, usize> = HashMap::new();
    for glyph in letters.iter().filter(|glyph| !glyph.furniture) {
        *counts.entry((glyph.size * 2.0).round() as i32).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(size, count)| (*count, *size));
    most.map_or(0.0, |(size, _)| size as f32 / 2.0)
}

fn label(paragraph: &Paragraph, usual: f32) -> Option<Label> {
    let area = paragraph.area()?;
    let lengths: Vec<usize> = paragraph.lines().map(|line| line.trim().chars().count()).collect();
    Some(Label {
        area,
        size: f64::from(paragraph.size()),
        chars: lengths.iter().sum(),
        ticks: lengths.iter().max().copied().filter(|_| paragraph.cells),
        small: paragraph.size() < TICK_SIZE * usual,
    })
}

/// Returns whether a label is next to a figure and belongs to it.
fn belongs(label: &Label, figure: &Rect) -> bool {
    let around = figure.inflate(NUMBER_EM * label.size, NUMBER_EM * label.size);
    if label.chars <= NUMBER_CHARS && around.contains(label.area.center()) {
        return true;
    }
    let is_scale = label.small && label.ticks.is_some_and(|longest| longest <= TICK_CHARS);
    let gap = (label.area.y0 - figure.y1).max(figure.y0 - label.area.y1);
    is_scale
        && gap < TICK_EM * label.size
        && figure.inflate(4.0 * label.size, 0.0).x0 < label.area.x0
        && label.area.x1 < figure.inflate(4.0 * label.size, 0.0).x1
}

/// Combines solid bars that begin at one line to a chart, with their names and values. Other small
/// figures may be pictures of words, and the text next to them may be wrong without these words.
pub(super) fn with_charts(
    figures: Vec<Rect>,
    letters: &[Glyph],
    is_solid: &dyn Fn(&Rect) -> bool,
) -> Vec<Rect> {
    let labels = labels(&figures, letters);
    let (bars, mut others): (Vec<Rect>, Vec<Rect>) = figures.into_iter().partition(|figure| {
        let is_bar = figure.height() <= BAR_PX && figure.width() > figure.height();
        is_bar && is_solid(figure) && !letters.iter().any(|glyph| glyph.is_in(figure))
    });
    let mut groups: Vec<Vec<Rect>> = Vec::new();
    for bar in bars {
        let next_to = |last: &Rect| {
            let edge = (last.x0 - bar.x0).abs().min((last.x1 - bar.x1).abs());
            edge < SAME_EDGE_PX && bar.y0 > last.y0 && bar.y0 - last.y1 < BARS_APART_PX
        };
        match groups.iter_mut().find(|group| group.last().is_some_and(next_to)) {
            Some(group) => group.push(bar),
            None => groups.push(vec![bar]),
        }
    }
    for group in groups {
        match chart(&group, &labels) {
            Some(chart) => others.push(chart),
            None => others.extend(group),
        }
    }
    others.sort_by(|a, b| a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0)));
    others
}

/// Returns the area of a chart, or `None` if there is only one bar, a bar has no name, or there is
/// text next to the bars.
fn chart(bars: &[Rect], labels: &[Label]) -> Option<Rect> {
    let all = bars.iter().copied().reduce(|all, bar| all.union(bar)).filter(|_| bars.len() > 1)?;
    let level = |label: &&Label, with: &Rect| {
        let middle = label.area.center().y;
        (with.y0 - 0.5 * label.size..with.y1 + 0.5 * label.size).contains(&middle)
    };
    let nearby: Vec<&Label> = labels.iter().filter(|label| level(label, &all)).collect();
    let is_chart = nearby.iter().all(|label| label.chars <= NAME_CHARS)
        && bars.iter().all(|bar| nearby.iter().any(|label| level(label, bar)));
    is_chart.then(|| nearby.iter().fold(all, |all, label| all.union(label.area)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, left: f32, baseline: f32, size: f32) -> Vec<Glyph> {
        let place = |(letter, at): (char, u16)| {
            let x = left + f32::from(at) * 0.5 * size;
            Glyph::plain(letter.encode_utf8(&mut [0; 4]), x, 0.5 * size, baseline, size)
        };
        text.chars().zip(0..).map(place).collect()
    }

    fn text() -> Vec<Glyph> {
        line("This is how large the letters of the text itself are.", 0.0, 700.0, 20.0)
    }

    fn charts(bars: &[Rect], letters: &[Glyph]) -> Vec<Rect> {
        with_charts(bars.to_vec(), letters, &|_| true)
    }

    fn assert_unchanged(figures: &[Rect], letters: &[Vec<Glyph>]) {
        let letters = [text(), letters.concat()].concat();
        assert_eq!(with_labels(charts(figures, &letters), &letters), figures);
    }

    #[test]
    fn a_chart_includes_the_names_and_values_of_its_bars() {
        let bars = [Rect::new(200.0, 0.0, 260.0, 20.0), Rect::new(200.0, 40.0, 320.0, 60.0)];
        let letters = [
            line("Dry road", 20.0, 16.0, 20.0),
            line("6 m", 270.0, 16.0, 18.0),
            line("Wet road", 20.0, 56.0, 20.0),
            line("10 m", 330.0, 56.0, 18.0),
        ];
        let all = [text(), letters.concat()].concat();
        let figures = charts(&bars, &all);
        let [chart] = figures[..] else { panic!("{figures:?}") };
        assert!(chart.x0 <= 20.0 && chart.x1 >= 366.0 && chart.y0 <= 0.0 && chart.y1 >= 60.0);
        // Pictures that are not solid, such as words.
        assert_eq!(with_charts(bars.to_vec(), &all, &|_| false), bars);
        // A bar without a name, one bar alone, bars with text next to them.
        assert_unchanged(&bars, &letters[..2]);
        assert_unchanged(&bars[..1], &letters[..2]);
        let long = line("A paragraph that happens to stand beside two bars.", 270.0, 16.0, 20.0);
        assert_unchanged(&bars, &[letters[0].clone(), long, letters[2].clone()]);
    }

    #[test]
    fn a_drawing_includes_scales_and_numbers_but_no_text() {
        let drawing = Rect::new(100.0, 0.0, 500.0, 60.0);
        let scale = [line("-18", 120.0, 76.0, 12.0), line("90", 400.0, 76.0, 12.0)].concat();
        let number = line("5", 80.0, 30.0, 12.0);
        let figures = with_labels(vec![drawing], &[text(), scale, number].concat());
        let [extended] = figures[..] else { panic!("{figures:?}") };
        assert!(extended.y1 > 76.0 && extended.x0 < 80.0, "{extended:?}");
        // A title next to a mark, a caption, the first row of a table.
        assert_unchanged(&[drawing], &[line("Privacy notice", 520.0, 40.0, 40.0)]);
        assert_unchanged(&[drawing], &[line("Figure 1: what freezes", 120.0, 78.0, 12.0)]);
        let row = [line("Goods", 100.0, 86.0, 20.0), line("How", 400.0, 86.0, 20.0)];
        assert_unchanged(&[drawing], &row);
    }
}
