//! Puts one random mark on pages of the demo's handbooks, at a random place that has text. The line
//! below it is no longer said, or its page is doubtful, and no other page changes.
//!
//! `make mutations SEED=7 MUTATIONS=1000` tries others than the tests; KEEP=FOLDER keeps the files.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use hayro::hayro_syntax::Pdf;

use super::super::feature_tests::stream;
use super::super::{Block, BlockKind, DoubtKind, Limits, Line, Rendered, render, webp};
use super::random::{Random, number};

const HANDBOOKS: [&str; 3] =
    ["rider-handbook.en.pdf", "rider-handbook.ar.pdf", "rider-handbook.de.pdf"];

/// Marks of one run of the tests.
const MUTATIONS: u64 = 15;

/// Number of the first new object; no file of the demo has so many.
const FIRST_OBJECT: usize = 500_000;

/// Minimum number of pixels of the 2x image that a mark changes, and by how much. A smaller change is
/// within the outlines of letters.
const CHANGED_PX: usize = 24;
const CHANGED_BY: u8 = 96;

/// The outer parts of a page, whose text may be said once for all pages.
const MARGIN: f32 = 0.13;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Rule,
    Dot,
    Bar,
    Wave,
    Picture,
    Box,
    Letter,
    Removed,
}

const KINDS: [Kind; 8] = [
    Kind::Rule,
    Kind::Dot,
    Kind::Bar,
    Kind::Wave,
    Kind::Picture,
    Kind::Box,
    Kind::Letter,
    Kind::Removed,
];

/// A mark on a page.
struct Mutation {
    page: usize,
    kind: Kind,
    /// The text of the line below it.
    text: String,
    commands: String,
}

fn said_on(rendered: &Rendered, page: usize) -> String {
    let number = page as u32 + 1;
    if rendered.doubts.iter().any(|doubt| doubt.page == number) {
        return String::new();
    }
    let is_text = |block: &&Block| block.page == number && block.kind != BlockKind::Figure;
    rendered.blocks.iter().filter(is_text).map(|block| format!("{}\n", block.text)).collect()
}

/// Returns the commands of a mark at a place in points: its left end on a baseline, and the size and
/// the width of the text there.
fn commands(kind: Kind, random: &mut Random, [x, y, size, width]: [f64; 4]) -> String {
    let wide = (size * random.between(1.2, 3.5)).min(width);
    let x = x + random.between(0.0, (width - wide).max(0.1));
    let weight = size * random.between(0.05, 0.11);
    let middle = y + size * random.between(0.2, 0.32);
    let right = x + wide;
    match kind {
        Kind::Rule => format!("{weight:.2} w {x:.2} {middle:.2} m {right:.2} {middle:.2} l S"),
        Kind::Dot => {
            let (side, low) =
                (size * random.between(0.14, 0.2), y + size * random.between(0.0, 0.5));
            format!("{x:.2} {low:.2} {side:.2} {side:.2} re f")
        }
        Kind::Bar => {
            let (low, high) = (y - 0.2 * size, 1.0 * size);
            format!("{x:.2} {low:.2} {wide:.2} {high:.2} re f")
        }
        Kind::Wave => {
            let mut out = format!("{weight:.2} w {x:.2} {middle:.2} m ");
            let (mut at, mut up) = (x, 0.2 * size);
            while at < right {
                at += 0.25 * size;
                let _ = write!(out, "{at:.2} {:.2} l ", middle + up);
                up = -up;
            }
            out + "S"
        }
        Kind::Picture => {
            let high = 0.7 * size;
            format!(
                "q {wide:.2} 0 0 {high:.2} {x:.2} {y:.2} cm BI /W 8 /H 8 /CS /G /BPC 1 /F /AHx ID \
                 A56699C35A96695A> EI Q"
            )
        }
        Kind::Box => {
            let side = size * random.between(0.5, 0.75);
            format!("{weight:.2} w {x:.2} {y:.2} {side:.2} {side:.2} re S")
        }
        Kind::Letter => {
            let (stem, high, foot) = (0.1 * size, 0.7 * size, 0.45 * size);
            format!("{x:.2} {y:.2} {stem:.2} {high:.2} re {x:.2} {y:.2} {foot:.2} {stem:.2} re f")
        }
        Kind::Removed => {
            let (low, wide, high) = (y - 0.3 * size, size * random.between(0.35, 0.7), 1.3 * size);
            format!("1 g {x:.2} {low:.2} {wide:.2} {high:.2} re f")
        }
    }
}

/// Returns a random mark on a page, or `None` if it has no line that is said once.
fn mutation(
    random: &mut Random,
    plain: &Rendered,
    page: usize,
    points: [f64; 2],
) -> Option<Mutation> {
    let text = said_on(plain, page);
    let (width, height) = (plain.pages[page].width as f32, plain.pages[page].height as f32);
    let is_usable = |line: &&Line| {
        line.text.chars().count() >= 8
            && text.matches(line.text.as_str()).count() == 1
            && (MARGIN * height..(1.0 - MARGIN) * height).contains(&line.y)
    };
    let lines: Vec<&Line> = plain.pages[page].lines.iter().filter(is_usable).collect();
    if lines.is_empty() {
        return None;
    }
    let line = random.one(&lines);
    let scale = [points[0] / f64::from(width), points[1] / f64::from(height)];
    let pixels = f64::from(line.height) / 1.25;
    let baseline = f64::from(line.y) + 0.9 * pixels;
    let place = [
        f64::from(line.x) * scale[0],
        points[1] - baseline * scale[1],
        pixels * scale[1],
        f64::from(line.width) * scale[0],
    ];
    let kind = random.one(&KINDS);
    Some(Mutation { page, kind, text: line.text.clone(), commands: commands(kind, random, place) })
}

/// Returns the file with marks on its pages, as an update at its end.
fn with_marks(pdf: &[u8], marks: &[Mutation]) -> Vec<u8> {
    let document = Pdf::new(pdf.to_vec()).unwrap();
    let mut file = pdf.to_vec();
    let mut table = String::from("xref\n");
    let mut next = FIRST_OBJECT;
    let mut add = |file: &mut Vec<u8>, number: usize, object: &str| {
        let _ = write!(table, "{number} 1\n{:010} 00000 n \n", file.len() + 1);
        file.extend(format!("\n{number} 0 obj\n{object}\nendobj\n").bytes());
    };
    for mark in marks {
        let page = document.pages()[mark.page].raw();
        let entries = String::from_utf8_lossy(page.data()).into_owned();
        let (before, after) = entries.split_once("/Contents").unwrap();
        let end = after.find(if after.trim_start().starts_with('[') { ']' } else { 'R' }).unwrap();
        let (contents, after) = after.split_at(end + 1);
        let contents = contents.trim().trim_start_matches('[').trim_end_matches(']');
        let (start, end) = (next, next + 1);
        next += 2;
        add(&mut file, start, &stream("", "q"));
        add(&mut file, end, &stream("", &format!("Q\n{}", mark.commands)));
        let entries = format!("{before}/Contents[{start} 0 R {contents} {end} 0 R]{after}");
        let entries = entries.trim().trim_start_matches("<<").trim_end_matches(">>");
        let id = page.obj_id().unwrap();
        add(&mut file, id.obj_number as usize, &format!("<<{entries}>>"));
    }
    let text = String::from_utf8_lossy(pdf);
    let (_, previous) = text.rsplit_once("startxref").unwrap();
    let previous: String = previous.trim_start().chars().take_while(char::is_ascii_digit).collect();
    let (root, start) = (document.xref().root_id().obj_number, file.len());
    let _ = write!(
        table,
        "trailer<</Size {next}/Root {root} 0 R/Prev {previous}>>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend(table.bytes());
    file
}

/// Returns how many pixels differ.
fn changed(one: &[u8], other: &[u8]) -> usize {
    let (one, other) = (webp::decode(one), webp::decode(other));
    assert_eq!(one.len(), other.len());
    let pixels = one.as_chunks::<3>().0.iter().zip(other.as_chunks::<3>().0);
    pixels.filter(|(a, b)| a[1].abs_diff(b[1]) >= CHANGED_BY).count()
}

fn sizes(pdf: &[u8]) -> Vec<[f64; 2]> {
    let document = Pdf::new(pdf.to_vec()).unwrap();
    let size = |(width, height): (f32, f32)| [f64::from(width), f64::from(height)];
    document.pages().iter().map(|page| size(page.render_dimensions())).collect()
}

#[test]
fn each_mark_on_a_handbook_is_shown_and_changes_no_other_page() {
    let (seed, wanted) = (number("SEED", 1), number("MUTATIONS", MUTATIONS));
    let limits = Limits { fast_images: true, ..Limits::default() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    let (mut count, mut invisible) = (0, 0);
    let (mut wrong, mut doubtful) = (Vec::new(), 0);
    let mut round = 0;
    while count < wanted {
        let name = HANDBOOKS[(round / 2 % 3) as usize];
        let pdf = fs::read(folder.join(name)).unwrap();
        let plain = render(&pdf, &limits).unwrap();
        let points = sizes(&pdf);
        let parity = (round % 2) as usize;
        let mut random = Random::of(seed, round);
        round += 1;
        let marks: Vec<Mutation> = (parity..plain.pages.len())
            .step_by(2)
            .filter_map(|page| mutation(&mut random, &plain, page, points[page]))
            .collect();
        let file = with_marks(&pdf, &marks);
        if let Some(folder) = env::var_os("KEEP") {
            fs::write(Path::new(&folder).join(format!("{seed}-{round}-{name}")), &file).unwrap();
        }
        let rendered = render(&file, &limits).unwrap();
        for mark in &marks {
            let page = mark.page;
            let images = [&plain, &rendered].map(|document| &document.pages[page].image_2x);
            if changed(images[0], images[1]) < CHANGED_PX {
                invisible += 1;
                continue;
            }
            count += 1;
            let doubts = rendered.doubts.iter().filter(|doubt| doubt.page as usize == page + 1);
            doubtful += usize::from(doubts.clone().count() > 0);
            let is_hidden = doubts.clone().any(|doubt| doubt.kind == DoubtKind::Hidden);
            if !is_hidden && said_on(&rendered, page).contains(&mark.text) {
                let Mutation { kind, text, commands, .. } = mark;
                wrong.push(format!("{name} {}: {kind:?} {text:?} {commands}", page + 1));
            }
        }
        for page in (1 - parity..plain.pages.len()).step_by(2) {
            if said_on(&plain, page) != said_on(&rendered, page) {
                wrong.push(format!("{name}: page {} changes", page + 1));
            }
        }
    }
    println!("{count} marks, {doubtful} on doubtful pages; {invisible} within letters");
    assert!(wrong.is_empty(), "seed {seed}: {} of {count}\n{wrong:#?}", wrong.len());
}
