//! Accents that are drawn as separate signs over or under a letter, as TeX does.

use unicode_normalization::UnicodeNormalization;

use super::glyphs::Glyph;

/// Accents with their own width, and the mark that each is over a letter.
const ACCENTS: [(&str, &str); 13] = [
    ("¨", "\u{308}"),
    ("´", "\u{301}"),
    ("`", "\u{300}"),
    ("ˆ", "\u{302}"),
    ("^", "\u{302}"),
    ("˜", "\u{303}"),
    ("~", "\u{303}"),
    ("˚", "\u{30A}"),
    ("¸", "\u{327}"),
    ("˛", "\u{328}"),
    ("ˇ", "\u{30C}"),
    ("˘", "\u{306}"),
    ("˝", "\u{30B}"),
];

/// Turns accents that share their place with a letter into marks of it.
pub(super) fn attached(mut group: Vec<Glyph>) -> Vec<Glyph> {
    for at in 0..group.len() {
        let Some((_, mark)) = ACCENTS.iter().find(|(sign, _)| *sign == group[at].text) else {
            continue;
        };
        let accent = &group[at];
        let (left, right) =
            accent.ink.map_or((accent.left, accent.right), |ink| (ink.x0 as f32, ink.x1 as f32));
        let middle = left.midpoint(right);
        let is_over = |letter: &Glyph| {
            letter.text.chars().all(char::is_alphabetic)
                && !letter.text.is_empty()
                && (letter.left..letter.right).contains(&middle)
                && (letter.baseline - accent.baseline).abs() < 0.5 * letter.size
        };
        let near = group[at.saturating_sub(2)..group.len().min(at + 3)].iter().any(is_over);
        if near {
            let accent = &mut group[at];
            (accent.text, accent.mark) = ((*mark).to_owned(), true);
            (accent.left, accent.right) = (left, right);
        }
    }
    group
}

/// Adds a mark to a letter, as one character if there is one.
pub(super) fn add(letter: &mut String, mark: &str) {
    let is_accent = ACCENTS.iter().any(|(_, accent)| *accent == mark);
    if is_accent && letter.as_str() == "ı" {
        *letter = "i".to_owned();
    }
    letter.push_str(mark);
    if is_accent {
        *letter = letter.nfc().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accent_over_a_letter_becomes_its_mark() {
        let glyphs = vec![
            Glyph::plain("u", 0.0, 6.0, 10.0, 12.0),
            Glyph::plain("¨", 1.0, 4.0, 10.0, 12.0),
            Glyph::plain("h", 6.0, 6.0, 10.0, 12.0),
            Glyph::plain("´", 12.0, 4.0, 10.0, 12.0),
        ];
        let marks: Vec<bool> = attached(glyphs).iter().map(|glyph| glyph.mark).collect();
        assert_eq!(marks, [false, true, false, false]);
        let mut letter = "u".to_owned();
        add(&mut letter, "\u{308}");
        assert_eq!(letter, "ü");
    }
}
