use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use tempfile::NamedTempFile;

use super::Unpacked;
use crate::evidence::case::archive::Archive;

/// Offset of the first entry of the directory.
fn directory_at(bytes: &[u8]) -> usize {
    let at: [u8; 4] = bytes[bytes.len() - 6..bytes.len() - 2].try_into().expect("four bytes");
    u32::from_le_bytes(at) as usize
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Archive::default();
    for (path, bytes) in files {
        archive.add(path, bytes).expect("it is small");
    }
    let mut bytes = archive.take();
    bytes.extend(archive.finish().expect("it is small"));
    bytes
}

/// Moves the directory and its offset after bytes were inserted before it.
fn move_directory(bytes: &mut [u8], by: u32) {
    let end = bytes.len();
    let at = u32::from_le_bytes(bytes[end - 6..end - 2].try_into().expect("four bytes")) + by;
    bytes[end - 6..end - 2].copy_from_slice(&at.to_le_bytes());
}

fn unpack(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("it is written");
    let mut archive = Unpacked::open(file.path()).map_err(|error| error.to_string())?;
    let files = archive.files.clone();
    let read = |packed| archive.read(packed).map_err(|error| error.to_string());
    let contents: Result<Vec<_>, _> = files.iter().map(read).collect();
    Ok(files.into_iter().map(|packed| packed.path).zip(contents?).collect())
}

/// Two files, of which the first has the local header at 0 and ten bytes.
fn two() -> Vec<u8> {
    archive(&[("a.txt", b"0123456789"), ("b.txt", b"second")])
}

#[test]
fn reads_what_it_writes() {
    let files = unpack(&two()).expect("it is whole");
    assert_eq!(files[0], ("a.txt".to_owned(), b"0123456789".to_vec()));
    assert_eq!(files[1], ("b.txt".to_owned(), b"second".to_vec()));
}

/// Changes each field that both headers have, in one of them.
#[test]
fn refuses_headers_that_differ_in_any_field() {
    let good = two();
    let central = directory_at(&good);
    for at in 4..35 {
        let mut local = good.clone();
        local[at] ^= 1;
        assert!(unpack(&local).is_err(), "byte {at} of the local header");
    }
    for at in 6..32 {
        let mut directory = good.clone();
        directory[central + at] ^= 1;
        assert!(unpack(&directory).is_err(), "byte {at} of the directory");
    }
    for at in 42..51 {
        let mut directory = good.clone();
        directory[central + at] ^= 1;
        assert!(unpack(&directory).is_err(), "byte {at} of the directory");
    }
}

/// A program that reads from the front unpacks an entry that the directory does not list.
#[test]
fn refuses_an_entry_that_the_directory_does_not_list() {
    let hidden = archive(&[("c.txt", b"hidden")]);
    let hidden = &hidden[..directory_at(&hidden)];
    let good = two();
    for (what, at) in [("before", 0), ("between", 45), ("after", directory_at(&good))] {
        let mut bytes = good.clone();
        bytes.splice(at..at, hidden.iter().copied());
        let by = u32::try_from(hidden.len()).expect("small");
        move_directory(&mut bytes, by);
        let central = directory_at(&bytes);
        for (entry, offset) in [(0, 0_u32), (1, 45)] {
            let place = central + entry * 51 + 42;
            let moved = if offset as usize >= at { offset + by } else { offset };
            bytes[place..place + 4].copy_from_slice(&moved.to_le_bytes());
        }
        let error = unpack(&bytes).expect_err(what);
        assert!(error.contains("there are other bytes before"), "{what}: {error}");
    }
}

#[test]
fn refuses_bytes_before_the_first_entry_and_after_the_end() {
    let good = two();
    let mut before = b"#!/bin/sh\n".to_vec();
    before.extend(&good);
    assert!(unpack(&before).is_err(), "offsets from the first entry");
    move_directory(&mut before, 10);
    assert!(unpack(&before).is_err(), "offsets from the first byte");
    let mut after = good.clone();
    after.extend(b"more");
    assert!(unpack(&after).is_err());
    let mut comment = good;
    let end = comment.len();
    comment[end - 2] = 4;
    assert!(unpack(&comment).is_err(), "a missing comment");
    comment.extend(b"more");
    assert!(unpack(&comment).is_err(), "a comment");
}

#[test]
fn refuses_names_that_programs_unpack_to_other_places() {
    for path in
        ["../a", "/a", "a/../b", "a//b", "./a", "a\\b", "C:a", "a\0b", "a.", "a ", "a\nb", "", "a?"]
    {
        assert!(unpack(&archive(&[(path, b"x")])).is_err(), "{path:?}");
    }
    for paths in [["a", "a"], ["a", "A"], ["a", "a/b"], ["é", "É"]] {
        let files = paths.map(|path| (path, b"x".as_slice()));
        assert!(unpack(&archive(&files)).is_err(), "{paths:?}");
    }
    let files = [("a/", b"".as_slice()), ("a/b", b"x"), ("ab", b"x")];
    assert_eq!(unpack(&archive(&files)).expect("folders").len(), 3);
    assert!(unpack(&archive(&[("a/", b"x")])).is_err(), "a folder with bytes");
}

/// A symbolic link and a folder would be unpacked under the name of a file.
#[test]
fn refuses_an_entry_that_is_not_a_plain_file() {
    for mode in [0o120_777_u32 << 16, 0o040_755 << 16, 0o010_644 << 16, 0x10] {
        let mut bytes = two();
        let at = directory_at(&bytes) + 38;
        bytes[at..at + 4].copy_from_slice(&mode.to_le_bytes());
        assert!(unpack(&bytes).is_err(), "{mode:o}");
    }
}

/// Replaces the stored bytes of the first file by `packed`, as deflate, in both headers.
fn deflated(packed: &[u8]) -> Vec<u8> {
    let mut bytes = two();
    bytes.splice(35..45, packed.iter().copied());
    let length = u32::try_from(packed.len()).expect("small");
    move_directory(&mut bytes, length.wrapping_sub(10));
    let central = directory_at(&bytes);
    for at in [8, central + 10] {
        bytes[at] = 8;
    }
    for at in [18, central + 20] {
        bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
    bytes[central + 51 + 42..central + 51 + 46].copy_from_slice(&(35 + length).to_le_bytes());
    bytes
}

#[test]
fn reads_a_deflated_file_and_refuses_bytes_after_its_end() {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b"0123456789").expect("it is packed");
    let packed = encoder.finish().expect("it is packed");
    let files = unpack(&deflated(&packed)).expect("it is whole");
    assert_eq!(files[0].1, b"0123456789");
    let longer = [packed.as_slice(), b"more"].concat();
    assert!(unpack(&deflated(&longer)).is_err());
    assert!(unpack(&deflated(&packed[..packed.len() - 1])).is_err());
}
