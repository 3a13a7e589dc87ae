//! PDF text strings (ISO 32000-2 §7.9.2.2): UTF-16 or UTF-8 with a byte order mark, otherwise
//! PDFDocEncoding.

/// PDFDocEncoding from 0x80 to 0xA0, where it differs from Latin-1 (ISO 32000-2 table D.2).
const UPPER: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€";

pub(super) fn text_string(bytes: &[u8]) -> String {
    if let Some(wide) = bytes.strip_prefix(b"\xFE\xFF") {
        return utf16(wide, u16::from_be_bytes);
    }
    if let Some(wide) = bytes.strip_prefix(b"\xFF\xFE") {
        return utf16(wide, u16::from_le_bytes);
    }
    match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(utf8) => String::from_utf8_lossy(utf8).into_owned(),
        None => bytes.iter().map(|&byte| letter(byte)).collect(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).filter_map(Result::ok).collect()
}

fn letter(byte: u8) -> char {
    let index = byte.checked_sub(0x80).map(usize::from);
    index.and_then(|index| UPPER.chars().nth(index)).unwrap_or_else(|| char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_text_strings_in_all_encodings() {
        assert_eq!(text_string(b"\xFE\xFF\x06\x44\x06\x27"), "\u{644}\u{627}");
        assert_eq!(text_string(b"\xFF\xFE\x44\x06\x27\x06"), "\u{644}\u{627}");
        assert_eq!(text_string(b"\xEF\xBB\xBF\xC3\xA4"), "ä");
        assert_eq!(text_string(b"\xE4b"), "äb");
        assert_eq!(text_string(b"25 \xA0\x80\x84"), "25 €•—");
    }
}
