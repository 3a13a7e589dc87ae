use proptest::prelude::*;

use super::{BundleError, decode_entries, encode_entries};

#[test]
fn writes_each_entry_after_its_length() {
    let bundle = encode_entries(&["", "ab"]).unwrap();
    assert_eq!(bundle, b"\x00\x00\x00\x02ab");
    assert_eq!(decode_entries(&bundle, 2).unwrap(), [b"".as_slice(), b"ab"]);
}

#[test]
fn enforces_the_limits() {
    let longest = vec![b'x'; 65_535];
    let bundle = encode_entries(&[&longest]).unwrap();
    assert_eq!(decode_entries(&bundle, 1).unwrap(), [longest.as_slice()]);
    assert_eq!(encode_entries(&[vec![b'x'; 65_536]]), Err(BundleError::EntryTooLong));
    assert_eq!(encode_entries(&[""; 257]), Err(BundleError::TooMany));
    assert_eq!(decode_entries(&[0; 2 * 257], 256), Err(BundleError::TooMany));
    assert_eq!(decode_entries(&[0; 4], 3), Err(BundleError::Count { expected: 3, found: 2 }));
    assert_eq!(decode_entries(&[], 1), Err(BundleError::Count { expected: 1, found: 0 }));
}

proptest! {
    #[test]
    fn decodes_the_entries_and_rejects_a_truncated_bundle(
        entries in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..20),
        cut: prop::sample::Index,
    ) {
        let bundle = encode_entries(&entries).unwrap();
        let width = entries.len() as u16;
        prop_assert_eq!(decode_entries(&bundle, width).unwrap(), entries);
        let cut = cut.index(bundle.len());
        prop_assert!(decode_entries(&bundle[..cut], width).is_err());
    }

    #[test]
    fn never_panics(bytes: Vec<u8>, width: u16) {
        let _ = decode_entries(&bytes, width);
    }
}
