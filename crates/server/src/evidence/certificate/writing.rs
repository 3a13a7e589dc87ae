//! Turns a text into positioned glyphs: line breaks, direction, choice of the face, and shaping.

use harfrust::{Buffer, Direction, ShapeOptions, ShaperFont};
use krilla::text::{GlyphId, KrillaGlyph};
use unicode_bidi::{BidiInfo, Level};

use super::faces::{Face, Weight, faces};

/// The style of a text.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub size: f32,
    pub weight: Weight,
    /// Whether the paragraph is read from right to left, which determines its start and the
    /// direction of neutral characters.
    pub rtl: bool,
}

/// Glyphs of one face, ordered from left to right.
pub struct Run {
    pub face: &'static Face,
    pub text: String,
    pub glyphs: Vec<KrillaGlyph>,
    pub width: f32,
}

pub struct Line {
    pub runs: Vec<Run>,
    pub width: f32,
}

/// Breaks a text into lines of at most `width`. A text with more than `lines_max` lines ends with
/// an ellipsis.
pub fn lines(text: &str, style: Style, width: f32, lines_max: usize) -> Vec<Line> {
    let text = printable(text, style.weight);
    let mut broken = wrap_text(&text, style, width);
    if broken.len() > lines_max {
        broken.truncate(lines_max);
        if let Some(last) = broken.last_mut() {
            *last = shorten(last, style, width);
        }
    }
    broken.iter().map(|text| line(text, style)).collect()
}

/// Replaces characters that no face contains by a replacement character, and control characters by
/// spaces.
fn printable(text: &str, weight: Weight) -> String {
    let has_glyph = |character| faces(weight).iter().any(|face| face.has(character));
    let replaced = |character: char| match character {
        _ if character.is_control() => ' ',
        _ if has_glyph(character) || is_invisible(character) => character,
        _ => '\u{fffd}',
    };
    text.chars().map(replaced).collect()
}

fn is_directional(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character has an effect but no glyph: directional marks, joiners and
/// non-joiners.
fn is_invisible(character: char) -> bool {
    is_directional(character) || matches!(character, '\u{200c}' | '\u{200d}')
}

fn wrap_text(text: &str, style: Style, width: f32) -> Vec<String> {
    let space = line(" ", style).width;
    let mut lines = vec![String::new()];
    let mut filled = 0.0;
    for word in text.split_whitespace() {
        let needed = line(word, style).width;
        let is_begun = lines.last().is_some_and(|line| !line.is_empty());
        if is_begun && filled + space + needed <= width {
            if let Some(current) = lines.last_mut() {
                current.push(' ');
                current.push_str(word);
            }
            filled += space + needed;
            continue;
        }
        if !is_begun {
            lines.pop();
        }
        // Thai has no spaces between words, and an ID may be one long word.
        let mut rest = word;
        while line(rest, style).width > width {
            let (head, tail) = rest.split_at(fitting_length(rest, style, width));
            lines.push(head.to_owned());
            rest = tail;
        }
        filled = line(rest, style).width;
        lines.push(rest.to_owned());
    }
    lines
}

/// Returns how many bytes of a long word fit on a line; at least one character.
fn fitting_length(word: &str, style: Style, width: f32) -> usize {
    let mut ends: Vec<usize> = word
        .char_indices()
        .skip(1)
        .filter(|&(_, character)| !is_combining(character))
        .map(|(at, _)| at)
        .collect();
    ends.push(word.len());
    let fit = ends.partition_point(|&end| line(&word[..end], style).width <= width);
    ends[fit.saturating_sub(1)]
}

/// Returns whether a character is a vowel sign or mark of a script whose words may be broken.
fn is_combining(character: char) -> bool {
    matches!(character, '\u{0e31}' | '\u{0e33}'..='\u{0e3a}' | '\u{0e45}'..='\u{0e4e}' |
        '\u{0300}'..='\u{036f}' | '\u{064b}'..='\u{065f}' | '\u{0981}'..='\u{0983}' |
        '\u{09bc}'..='\u{09cd}')
}

fn shorten(text: &str, style: Style, width: f32) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    loop {
        let short: String = characters.iter().chain(['…'].iter()).collect();
        if characters.pop().is_none() || line(&short, style).width <= width {
            return short;
        }
    }
}

/// Sets a text on one line.
pub fn line(text: &str, style: Style) -> Line {
    let base = if style.rtl { Level::rtl() } else { Level::ltr() };
    let bidi = BidiInfo::new(text, Some(base));
    let mut runs = Vec::new();
    for paragraph in &bidi.paragraphs {
        let (levels, visual) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for range in visual {
            let rtl = levels[range.start].is_rtl();
            let mut parts = by_face(&text[range], style.weight);
            if rtl {
                parts.reverse();
            }
            runs.extend(parts.into_iter().map(|(face, text)| shape(face, text, style.size, rtl)));
        }
    }
    let width = runs.iter().map(|run| run.width).sum();
    Line { runs, width }
}

/// Splits a text into parts with one face each. Spaces and marks belong to the preceding part.
/// Directional marks are removed, because they have already taken effect.
fn by_face(text: &str, weight: Weight) -> Vec<(&'static Face, String)> {
    let faces = faces(weight);
    let mut parts: Vec<(&'static Face, String)> = Vec::new();
    for character in text.chars().filter(|character| !is_directional(*character)) {
        let current = parts.last().map(|(face, _)| *face);
        let stays = character == ' ' || is_invisible(character) || is_combining(character);
        let fits = faces.iter().find(|face| face.has(character));
        let chosen = if stays { current.or(fits) } else { fits };
        match (chosen, parts.last_mut()) {
            (Some(chosen), Some((face, part))) if std::ptr::eq(*face, chosen) => {
                part.push(character);
            }
            (Some(chosen), _) => parts.push((chosen, character.to_string())),
            (None, _) => {}
        }
    }
    parts
}

fn shape(face: &'static Face, text: String, size: f32, rtl: bool) -> Run {
    let mut buffer = Buffer::new();
    buffer.push_str(&text);
    buffer.guess_segment_properties();
    buffer.set_direction(if rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    // The letters of the faces do not depend on the language, so one plan serves all languages.
    buffer.set_language(None);
    let plan = face.plan(buffer.script(), buffer.direction());
    let options = ShapeOptions::new().plan(Some(&plan));
    if harfrust::shape(&ShaperFont::new(&face.shaped), &mut buffer, options).is_err() {
        return Run { face, text, glyphs: Vec::new(), width: 0.0 };
    }
    let clusters = buffer.glyph_infos().iter().map(|info| info.cluster as usize);
    let mut starts: Vec<usize> = clusters.collect();
    starts.push(text.len());
    starts.sort_unstable();
    starts.dedup();
    let em = f32::from(face.shaped.units_per_em());
    let part = |units: i32| units as f32 / em;
    let placed = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
    let glyphs: Vec<KrillaGlyph> = placed
        .map(|(info, place)| {
            let start = info.cluster as usize;
            let next = starts.partition_point(|&other| other <= start);
            KrillaGlyph::new(
                GlyphId::new(info.glyph_id),
                part(place.x_advance),
                part(place.x_offset),
                part(place.y_offset),
                part(place.y_advance),
                start..starts.get(next).copied().unwrap_or(text.len()),
                None,
            )
        })
        .collect();
    let width = glyphs.iter().map(|glyph| glyph.x_advance * size).sum();
    Run { face, text, glyphs, width }
}
