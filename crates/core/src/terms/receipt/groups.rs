//! Receipt numbers that people type: Crockford's base 32 in groups of four.
//!
//! The alphabet has no I, L, O and U. Readers accept lower case, I and L for 1, O for 0, and any
//! spaces and hyphens.

use super::{MAC_BYTES, ReceiptId};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SYMBOLS: u32 = 36;
const GROUP: u32 = 4;
const BITS_PER_SYMBOL: u32 = 5;
const MAC_BITS: u32 = 128;
/// 36 symbols have 180 bits: 52 for the masked number of the submission, 128 for the secret.
const SEQ_BITS: u32 = SYMBOLS * BITS_PER_SYMBOL - MAC_BITS;

/// The part of a number that fits next to the secret.
pub(super) const SEQ_MASK: i64 = (1 << SEQ_BITS) - 1;

/// Writes a number, for example `7Q2K-…-M4XZ`.
pub(super) fn write(masked: i64, mac: [u8; MAC_BYTES]) -> String {
    let (masked, mac) = (u128::from((masked & SEQ_MASK).unsigned_abs()), u128::from_be_bytes(mac));
    let mut text = String::new();
    for place in 0..SYMBOLS {
        if place > 0 && place % GROUP == 0 {
            text.push('-');
        }
        let right = (SYMBOLS - 1 - place) * BITS_PER_SYMBOL;
        let bits = match right.checked_sub(MAC_BITS) {
            Some(right) => masked >> right,
            // For the last symbol, no bit of the number remains.
            None => masked.checked_shl(MAC_BITS - right).unwrap_or(0) | mac >> right,
        };
        let symbol = usize::try_from(bits & 31).ok().and_then(|symbol| ALPHABET.get(symbol));
        text.push(symbol.copied().map_or('0', char::from));
    }
    text
}

/// Reads a number as a person types it, without verifying it. The number of the submission is still
/// masked. `None` if the text has another length or other characters.
pub(super) fn read(text: &str) -> Option<ReceiptId> {
    let (mut masked, mut mac, mut symbols) = (0_i64, 0_u128, 0);
    for character in text.chars().filter(|character| !is_separator(*character)) {
        let symbol = u8::try_from(symbol(character)?).ok()?;
        let carry = i64::try_from(mac >> (MAC_BITS - BITS_PER_SYMBOL)).ok()?;
        masked = (masked << BITS_PER_SYMBOL | carry) & SEQ_MASK;
        mac = mac << BITS_PER_SYMBOL | u128::from(symbol);
        symbols += 1;
        if symbols > SYMBOLS {
            return None;
        }
    }
    (symbols == SYMBOLS).then_some(ReceiptId { seq: masked, mac: mac.to_be_bytes() })
}

fn symbol(character: char) -> Option<usize> {
    let symbol = match character.to_ascii_uppercase() {
        'I' | 'L' => '1',
        'O' => '0',
        other => other,
    };
    ALPHABET.iter().position(|candidate| char::from(*candidate) == symbol)
}

/// Returns whether a reader ignores the character. Text programs turn a hyphen into a dash, and
/// copied text can have invisible characters.
fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{2069}' | '\u{feff}')
}
