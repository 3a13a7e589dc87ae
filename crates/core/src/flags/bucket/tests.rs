use super::{Draw, murmur3, scale};

#[test]
fn murmur3_equals_the_official_vectors() {
    for (text, expected) in [
        ("ejOoVL", 0x0000_0000),
        ("bY9fO-", 0x0000_0001),
        ("SI7p-", 0x7fff_ffff),
        ("6LvT0", 0x8000_0000),
        ("ceQdGm", 0xffff_ffff),
    ] {
        assert_eq!(murmur3(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn the_range_of_the_hash_covers_all_buckets() {
    assert_eq!(scale(0), 0);
    assert_eq!(scale(0x7fff_ffff), 49_999);
    assert_eq!(scale(0x8000_0000), 50_000);
    assert_eq!(scale(u32::MAX), 99_999);
}

#[test]
fn a_hashed_prefix_gives_the_same_bucket_as_the_whole_text() {
    let units =
        ["", "a", "ab", "abc", "abcd", "абвгд", "123e4567-e89b-12d3-a456-426614174000", "😀"];
    for salt in ["", "k", "k2", "k2x", "k2xy", "k2xyz", "ключ"] {
        for unit in units {
            let draws = [
                (Draw::rollout(salt, "r1"), format!("r:{salt}:r1:{unit}")),
                (Draw::split(salt), format!("v:{salt}:{unit}")),
                (Draw::layer(salt), format!("l:{salt}:{unit}")),
                (Draw::holdout(salt), format!("h:{salt}:{unit}")),
            ];
            for (draw, whole) in draws {
                assert_eq!(draw.bucket(unit), scale(murmur3(whole.as_bytes())), "{whole}");
            }
        }
    }
}
