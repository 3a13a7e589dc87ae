//! Raised and lowered signs: footnote marks, exponents, ordinals, fractions. They become the raised
//! and lowered characters of Unicode, so that EUR 50¹ is never read as EUR 501.

use super::bidi::Cluster;

/// Minimum distance of baselines, in font sizes of the line.
const RAISED_EM: f32 = 0.13;
const LOWERED_EM: f32 = 0.08;

/// The height of a sign relative to the line that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Height {
    OnLine,
    Raised,
    Lowered,
}

/// Returns the height of a sign, by how far its baseline is above that of the line.
pub(super) fn height(above: f32, line_size: f32) -> Height {
    if above > RAISED_EM * line_size {
        Height::Raised
    } else if above < -LOWERED_EM * line_size {
        Height::Lowered
    } else {
        Height::OnLine
    }
}

/// Returns the raised or lowered form of a text; `None` if a sign has none.
pub(super) fn form(text: &str, height: Height) -> Option<String> {
    text.chars().map(|letter| letter_form(letter, height)).collect()
}

fn letter_form(letter: char, height: Height) -> Option<char> {
    let from = match height {
        Height::OnLine => return Some(letter),
        Height::Raised => RAISED,
        Height::Lowered => LOWERED,
    };
    if !letter.is_alphanumeric() && !"+-−=()".contains(letter) {
        // An asterisk, a quote or a degree sign is the same sign at any height.
        return Some(letter);
    }
    from.iter().find(|(plain, _)| *plain == letter).map(|(_, form)| *form)
}

/// Writes a raised number, a slash and a lowered number as a fraction, apart from a number before it.
pub(super) fn with_fractions(clusters: Vec<Cluster>) -> Vec<Cluster> {
    if !clusters.iter().any(|cluster| matches!(cluster.text.as_str(), "/" | "⁄")) {
        return clusters;
    }
    let plain = |cluster: &Cluster, table: &[(char, char)]| {
        let mut letters = cluster.text.chars();
        let letter = letters.next().filter(|_| letters.as_str().is_empty())?;
        let figure = table.iter().find(|(plain, form)| *form == letter && plain.is_numeric());
        figure.map(|(plain, _)| *plain)
    };
    let mut result: Vec<Cluster> = Vec::with_capacity(clusters.len());
    for (at, cluster) in clusters.iter().enumerate() {
        let is_slash = matches!(cluster.text.as_str(), "/" | "⁄");
        let upper = clusters[..at].iter().rev().take_while(|c| plain(c, RAISED).is_some()).count();
        let after = clusters.get(at + 1).is_some_and(|next| plain(next, LOWERED).is_some());
        if is_slash && upper > 0 && after {
            let from = result.len() - upper;
            for above in &mut result[from..] {
                above.text = plain(above, RAISED).unwrap_or(' ').to_string();
            }
            let before = from.checked_sub(1).and_then(|last| result.get(last));
            if before.is_some_and(|before| before.text.chars().all(char::is_numeric)) {
                result.insert(from, Cluster { text: " ".to_owned(), run: cluster.run });
            }
            result.push(Cluster { text: "/".to_owned(), run: cluster.run });
            continue;
        }
        let in_lower = result.last().is_some_and(|last| last.text == "/" || last.text.len() == 1)
            && clusters[..at]
                .iter()
                .rev()
                .find(|c| plain(c, LOWERED).is_none())
                .is_some_and(|c| matches!(c.text.as_str(), "/" | "⁄"));
        match plain(cluster, LOWERED).filter(|_| in_lower) {
            Some(figure) => result.push(Cluster { text: figure.to_string(), run: cluster.run }),
            None => result.push(cluster.clone()),
        }
    }
    result
}

const RAISED: &[(char, char)] = &[
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('+', '⁺'),
    ('-', '⁻'),
    ('−', '⁻'),
    ('=', '⁼'),
    ('(', '⁽'),
    (')', '⁾'),
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('c', 'ᶜ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('j', 'ʲ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('o', 'ᵒ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('v', 'ᵛ'),
    ('w', 'ʷ'),
    ('x', 'ˣ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
    ('²', '²'),
    ('³', '³'),
    ('¹', '¹'),
    ('º', 'º'),
    ('ª', 'ª'),
];

const LOWERED: &[(char, char)] = &[
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
    ('+', '₊'),
    ('-', '₋'),
    ('−', '₋'),
    ('=', '₌'),
    ('(', '₍'),
    (')', '₎'),
    ('a', 'ₐ'),
    ('e', 'ₑ'),
    ('h', 'ₕ'),
    ('i', 'ᵢ'),
    ('k', 'ₖ'),
    ('l', 'ₗ'),
    ('m', 'ₘ'),
    ('n', 'ₙ'),
    ('o', 'ₒ'),
    ('p', 'ₚ'),
    ('r', 'ᵣ'),
    ('s', 'ₛ'),
    ('t', 'ₜ'),
    ('u', 'ᵤ'),
    ('v', 'ᵥ'),
    ('x', 'ₓ'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_apart_from_its_number() {
        let read = |text: &str| -> String {
            let cluster = |letter: char| Cluster { text: letter.to_string(), run: 0 };
            let clusters = with_fractions(text.chars().map(cluster).collect());
            clusters.into_iter().map(|cluster| cluster.text).collect()
        };
        assert_eq!(read("2¹/₂ h"), "2 1/2 h");
        assert_eq!(read("¹⁄₁₀ or km/h"), "1/10 or km/h");
    }

    #[test]
    fn raised_signs_have_their_own_characters() {
        assert_eq!(form("-3", Height::Raised).as_deref(), Some("⁻³"));
        assert_eq!(form("st", Height::Raised).as_deref(), Some("ˢᵗ"));
        assert_eq!(form("2", Height::Lowered).as_deref(), Some("₂"));
        assert_eq!(form("*", Height::Raised).as_deref(), Some("*"));
        assert_eq!(form("Ä", Height::Raised), None);
        assert_eq!(height(0.05 * 12.0, 12.0), Height::OnLine);
    }
}
