//! Tests of the reading view with the documents of the demo, in both directions.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use super::{Block, BlockKind, Doubt, DoubtKind, Limits, Rendered, render};

fn demo(name: &str) -> Rendered {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    render(&fs::read(folder.join(name)).unwrap(), &Limits::default()).unwrap()
}

static HANDBOOKS: LazyLock<[Rendered; 2]> =
    LazyLock::new(|| ["rider-handbook.en.pdf", "rider-handbook.ar.pdf"].map(demo));

fn page(rendered: &Rendered, number: u32) -> Vec<&Block> {
    rendered.blocks.iter().filter(|block| block.page == number).collect()
}

fn kinds(blocks: &[&Block]) -> Vec<BlockKind> {
    blocks.iter().map(|block| block.kind).collect()
}

#[test]
fn a_scale_below_a_drawing_is_part_of_it_and_does_not_divide_the_table() {
    for handbook in &*HANDBOOKS {
        let blocks = page(handbook, 21);
        let expected = [
            BlockKind::Heading { level: 1 },
            BlockKind::Paragraph,
            BlockKind::Figure,
            BlockKind::Paragraph,
            BlockKind::Table,
        ];
        assert_eq!(kinds(&blocks), expected);
        assert!(blocks[2].text.contains("−18 °C"), "the sign is before its number");
        assert!(!blocks[1].text.contains('−'), "{}", blocks[1].text);
        let cells: Vec<usize> = blocks[4].rows.iter().map(Vec::len).collect();
        assert_eq!(cells, [3; 6]);
    }
}

#[test]
fn bars_are_one_chart_with_their_names_and_values() {
    for handbook in &*HANDBOOKS {
        for number in [9, 13, 25] {
            let blocks = page(handbook, number);
            let figures: Vec<_> =
                blocks.iter().filter(|block| block.kind == BlockKind::Figure).collect();
            let [chart] = figures[..] else { panic!("{} figures on {number}", figures.len()) };
            // A name may have two lines.
            let bars = chart.text.lines().filter(|bar| bar.contains(" · ")).count();
            assert!(bars >= 3, "{}", chart.text);
            let area = chart.area.unwrap();
            assert!(area.width > 400.0 && area.height > 100.0, "{area:?}");
        }
    }
    let dry = page(&HANDBOOKS[0], 13).into_iter().find(|block| block.text.contains("Dry road"));
    assert_eq!(dry.map(|block| block.text.lines().next().unwrap()), Some("Dry road · 6 m"));
}

#[test]
fn the_introduction_of_a_chapter_is_not_a_heading_but_its_title_is() {
    for handbook in &*HANDBOOKS {
        for number in [3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25] {
            let blocks = page(handbook, number);
            let first = [BlockKind::Heading { level: 1 }, BlockKind::Paragraph];
            assert_eq!(kinds(&blocks)[..2], first, "page {number}");
        }
    }
}

#[test]
fn a_running_header_with_a_logo_and_a_line_occurs_once() {
    let notice = demo("privacy-notice.ar.pdf");
    for rendered in [&HANDBOOKS[1], &notice] {
        let heads = rendered.blocks.iter().filter(|block| block.text.contains("لاركسبر كوريرز · "));
        assert_eq!(heads.map(|block| block.page).collect::<Vec<_>>(), [1]);
        let mark = rendered.blocks.iter().find(|block| {
            block.kind == BlockKind::Figure && block.area.is_some_and(|area| area.y < 100.0)
        });
        assert_eq!(mark, None);
    }
}

#[test]
fn a_note_with_a_line_at_its_side_is_framed() {
    for handbook in &*HANDBOOKS {
        for (number, framed) in [(2, 1), (5, 1), (13, 1), (3, 0), (4, 0), (9, 0), (29, 0)] {
            let blocks = page(handbook, number);
            let count = blocks.iter().filter(|block| block.framed.is_some()).count();
            assert_eq!(count, framed, "page {number}");
        }
    }
}

#[test]
fn a_telephone_number_in_arabic_text_keeps_its_visual_order() {
    let card = page(&HANDBOOKS[1], 30);
    assert!(card.iter().any(|block| block.text == "الطوارئ \u{2066}555-0100\u{2069}"));
}

#[test]
fn the_demo_has_no_warnings_and_no_space_after_a_slash() {
    for handbook in &*HANDBOOKS {
        assert_eq!(handbook.doubts, []);
        assert!(!handbook.blocks.iter().any(|block| block.text.contains("/ ")));
    }
    assert!(page(&HANDBOOKS[0], 13).iter().any(|block| block.text.contains("60 km/h")));
}

#[test]
fn the_demo_has_no_region() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    let limits = Limits { fast_images: true, ..Limits::default() };
    let mut wrong = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let rendered = render(&fs::read(&file).unwrap(), &limits).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let marked = rendered.blocks.iter().filter(|block| block.marked);
        wrong.extend(marked.map(|block| format!("{name} {}: {:?}", block.page, block.area)));
        // These are scans, whose pages are pictures.
        let is_scan = name.starts_with("equipment-deposit.");
        let is_doubt = |doubt: &&Doubt| !is_scan || doubt.kind != DoubtKind::Picture;
        let doubts = rendered.doubts.iter().filter(is_doubt);
        wrong.extend(doubts.map(|doubt| format!("{name} {doubt:?}")));
        wrong.extend(rendered.findings.iter().map(|finding| format!("{name} {finding}")));
    }
    assert_eq!(wrong, [""; 0]);
}
