//! `GET /documents/…`.

use std::path::Path;

use serde_json::Value;

use crate::app::TestApp;
use crate::pdf;
use crate::store::{CommandResult, Engine, TestStore};

on_both!(
    serves_the_published_bytes,
    serves_byte_ranges,
    answers_unknown_documents_with_404,
    serves_the_parts_that_the_viewer_reads,
    the_previous_version_serves_a_new_document,
    copies_a_document_to_disk_only_when_it_is_read,
    serves_a_document_without_its_copy_on_disk,
    does_not_serve_a_copy_with_a_different_hash,
);

/// Starts a server with one document. Returns its address and its bytes.
fn published(engine: Engine) -> (TestApp, String, Vec<u8>) {
    let store = TestStore::new(engine);
    let bytes = pdf::page("Hello");
    let file = store.file("hello.pdf", &bytes);
    let args = ["terms", "publish", &file, "--type", "FREELANCER", "--title", "Hello"];
    let term = store.command(&args).json();
    let path = format!("/documents/{}.pdf", term["sha256"].as_str().expect("a hash"));
    assert_eq!(term["content"], path.as_str());
    (TestApp::serve(store), path, bytes)
}

fn serves_the_published_bytes(engine: Engine) {
    let (app, path, bytes) = published(engine);
    let answer = app.get(&path).gives(200);
    assert_eq!(answer.body, bytes);
    for (name, want) in [
        ("content-type", "application/pdf"),
        (
            "content-security-policy",
            "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
        ),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("accept-ranges", "bytes"),
        ("content-length", &bytes.len().to_string()),
    ] {
        assert_eq!(answer.header(name), want, "{name}");
    }
    let etag = answer.header("etag");
    let same = app.get(&path).header("if-none-match", etag).gives(304);
    assert_eq!((same.body.as_slice(), same.header("etag")), (&b""[..], etag));
    app.get(&path).header("if-none-match", "\"other\"").gives(200);
    // A document is served under any host name.
    app.get(&path).header("host", "elsewhere.example").gives(200);
}

fn serves_byte_ranges(engine: Engine) {
    let (app, path, bytes) = published(engine);
    let length = bytes.len();
    let etag = app.get(&path).gives(200).header("etag").to_owned();
    let last = length - 1;
    for (range, first, last) in [
        ("bytes=0-3", 0, 3),
        ("bytes=4-4", 4, 4),
        ("bytes=10-", 10, last),
        ("bytes=-5", length - 5, last),
        ("bytes=-99999999", 0, last),
        ("bytes=3-99999999", 3, last),
    ] {
        let part = app.get(&path).header("range", range).gives(206);
        assert_eq!(part.body, bytes[first..=last], "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {first}-{last}/{length}"));
        assert_eq!(part.header("content-type"), "application/pdf");
    }
    for range in ["bytes=99999999-", "bytes=-0", &format!("bytes={length}-")] {
        let none = app.get(&path).header("range", range).gives(416);
        assert_eq!(none.header("content-range"), format!("bytes */{length}"), "{range}");
    }
    for range in
        ["bytes=5-2", "bytes=x", "lines=1-2", "bytes=0-1,4-5", "bytes=99999999999999999999-"]
    {
        assert_eq!(app.get(&path).header("range", range).gives(200).body, bytes, "{range}");
    }
    let part = app.get(&path).header("range", "bytes=0-1");
    part.clone().header("if-range", &etag).gives(206);
    assert_eq!(part.header("if-range", "\"other\"").gives(200).body, bytes);
}

fn answers_unknown_documents_with_404(engine: Engine) {
    let (app, path, _) = published(engine);
    let hash = path.trim_start_matches("/documents/").trim_end_matches(".pdf");
    for name in [
        &format!("{}.pdf", "0".repeat(64)),
        hash,
        &format!("{hash}.PDF"),
        &format!("{}.pdf", hash.to_uppercase()),
        &format!("{hash}.pdf.pdf"),
        "..%2f..%2fetc%2fpasswd.pdf",
        "%ff.pdf",
        &format!("{hash}/nothing.json"),
        &format!("{hash}/..%2f1.png"),
        &format!("{}/manifest.json", "0".repeat(64)),
    ] {
        let answer = app.get(&format!("/documents/{name}")).send();
        assert!([400, 404].contains(&answer.status), "{name}: {}", answer.status);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{name}");
    }
}

fn serves_the_parts_that_the_viewer_reads(engine: Engine) {
    let (app, path, _) = published(engine);
    let folder = path.trim_end_matches(".pdf");
    let immutable = "public, max-age=31536000, immutable";
    let manifest = app.get(&format!("{folder}/manifest.json")).gives(200);
    assert_eq!(manifest.header("cache-control"), immutable);
    let etag = manifest.header("etag").to_owned();
    app.get(&format!("{folder}/manifest.json")).header("if-none-match", &etag).gives(304);
    let manifest = manifest.json();
    assert_eq!(manifest["pdf"], path);
    assert_eq!(manifest["text"].as_str().map(str::trim), Some("Hello"));
    let pages = manifest["pages"].as_array().expect("pages");
    assert_eq!(pages.len(), 1);
    let page = &pages[0];
    let address = |value: &Value| value.as_str().expect("an address").to_owned();
    for name in ["src", "src2x"] {
        let image = app.get(&address(&page[name])).gives(200);
        assert_eq!(image.header("content-type"), "image/webp", "{name}");
        assert_eq!(image.header("cache-control"), immutable, "{name}");
        assert_eq!(image.header("content-length"), image.body.len().to_string(), "{name}");
        let pixels = webp::Decoder::new(&image.body).decode().expect("a WebP");
        let scale = if name == "src" { 1.0 } else { 2.0 };
        for (side, pixels) in [("width", pixels.width()), ("height", pixels.height())] {
            let want = page[side].as_f64().expect("a size") * scale;
            assert!((f64::from(pixels) - want).abs() <= 1.0, "{name}: {pixels}, not {want}");
        }
        let head = app.request("HEAD", &address(&page[name])).gives(200);
        assert_eq!((head.header("content-type"), head.body.len()), ("image/webp", 0), "{name}");
        assert_eq!(head.header("content-length"), image.header("content-length"), "{name}");
        let same = app.get(&address(&page[name])).header("if-none-match", image.header("etag"));
        assert_eq!(same.gives(304).body.len(), 0, "{name}");
    }
    let lines = app.get(&address(&page["lines"])).gives(200).json();
    assert_eq!(
        (&lines["lines"][0]["text"], &lines["lines"][0]["dir"]),
        (&"Hello".into(), &"ltr".into())
    );
    let reading = app.get(&address(&manifest["reading"])).gives(200).json();
    assert_eq!(reading["blocks"][0]["text"], "Hello");
}

/// The previous version serves everything about a document of this version, because it has no other
/// names for its parts.
fn the_previous_version_serves_a_new_document(engine: Engine) {
    let (app, path, _) = published(engine);
    let folder = path.trim_end_matches(".pdf");
    let manifest = app.get(&format!("{folder}/manifest.json")).gives(200).json();
    let page = &manifest["pages"][0];
    for (part, ending) in [
        (&page["src"], ".png"),
        (&page["src2x"], ".png"),
        (&page["lines"], ".json"),
        (&manifest["reading"], ".json"),
        (&manifest["pdf"], ".pdf"),
    ] {
        assert!(part.as_str().is_some_and(|text| text.ends_with(ending)), "{part}");
    }
}

/// The whole handbook in the reading view, as a phone of two pixels per CSS pixel loads it: the
/// manifest, the text and each figure.
const HANDBOOK_BYTES_MAX: usize = 250_000;

#[test]
fn the_reading_view_of_a_handbook_loads_few_bytes() {
    let store = TestStore::new(Engine::Sqlite);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    let file = folder.join("rider-handbook.en.pdf");
    let file = file.to_str().expect("a path");
    let args = ["terms", "publish", file, "--type", "FREELANCER", "--title", "Handbook"];
    // With the images of publishing, not with the quick ones of tests.
    let mut publishing = store.program();
    let publishing = publishing.args(args).env("MUSETTE_TEST_IMAGES", "small").output();
    let term = CommandResult::from(publishing.expect("the program runs")).json();
    let app = TestApp::serve(store);
    let length = |path: &str| app.get(path).header("accept-encoding", "gzip").gives(200).body.len();
    let manifest = format!("/documents/{}/manifest.json", term["sha256"].as_str().expect("a hash"));
    let page = app.get(&manifest).gives(200).json();
    let reading = page["reading"].as_str().expect("a path");
    let mut bytes = length(&manifest) + length(reading);
    let mut figures = 0;
    for block in app.get(reading).gives(200).json()["blocks"].as_array().expect("blocks") {
        if block["kind"] != "figure" {
            continue;
        }
        figures += 1;
        let (cut, area) = (&block["cut"], &block["area"]);
        let number = |value: &Value| value.as_f64().expect("a number");
        for (start, length) in [("x", "width"), ("y", "height")] {
            let end = |part: &Value| number(&part[start]) + number(&part[length]);
            assert!(
                number(&cut[start]) <= number(&area[start]) && end(cut) >= end(area),
                "{block}"
            );
        }
        let src = cut["src2x"].as_str().expect("a path");
        assert!(src.ends_with(".png"), "the previous version serves {src}");
        assert_eq!(app.get(src).gives(200).header("content-type"), "image/webp");
        bytes += length(src);
    }
    println!("{figures} figures, {bytes} bytes");
    assert!(figures >= 10 && bytes <= HANDBOOK_BYTES_MAX, "{figures} figures, {bytes} bytes");
}

fn copies(app: &TestApp) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(app.path("data/documents")) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

fn copies_a_document_to_disk_only_when_it_is_read(engine: Engine) {
    let (app, path, bytes) = published(engine);
    let head = app.request("HEAD", &path).gives(200);
    assert_eq!((head.header("content-length"), head.body.len()), (&*bytes.len().to_string(), 0));
    // RFC 9110 §14.2 defines ranges for GET only.
    app.request("HEAD", &path).header("range", "bytes=0-0").gives(200);
    app.get(&path).header("if-none-match", head.header("etag")).gives(304);
    app.get(&path).header("range", "bytes=99999999-").gives(416);
    assert_eq!(copies(&app), [""; 0], "nothing was read");
    assert_eq!(app.get(&path).header("range", "bytes=1-3").gives(206).body, bytes[1..=3]);
    let name = path.rsplit('/').next().expect("a name").to_owned();
    assert_eq!(copies(&app), [name]);
}

fn serves_a_document_without_its_copy_on_disk(engine: Engine) {
    let (app, path, bytes) = published(engine);
    let manifest = format!("{}/manifest.json", path.trim_end_matches(".pdf"));
    let read = || {
        assert_eq!(app.get(&path).gives(200).body, bytes);
        assert_eq!(app.get(&path).header("range", "bytes=5-9").gives(206).body, bytes[5..=9]);
        app.get(&manifest).gives(200);
    };
    read();
    std::fs::remove_dir_all(app.path("data/documents")).expect("it was there");
    read();
    std::fs::remove_dir_all(app.path("data/documents")).expect("it was there");
    // A file in place of the folder prevents its creation, as a full disk would.
    app.file("data/documents", b"in the way");
    read();
}

fn does_not_serve_a_copy_with_a_different_hash(engine: Engine) {
    let (app, path, _) = published(engine);
    let forget = match engine {
        Engine::Sqlite => "DROP TRIGGER documents_no_update",
        Engine::Postgres => "DROP TRIGGER documents_append_only ON documents",
    };
    app.tamper(forget);
    let other = match engine {
        Engine::Sqlite => "UPDATE documents SET bytes = x'255044462d'",
        Engine::Postgres => "UPDATE documents SET bytes = decode('255044462d', 'hex')",
    };
    app.tamper(other);
    app.get(&path).refused(500, "internal");
    assert_eq!(copies(&app), [""; 0]);
}
