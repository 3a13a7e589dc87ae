//! Documents as they come: read, drawn, and the bad ones refused in a limited child.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::hostile::{self, file, stream};
use musette_render::{Block, BlockKind, Limits, RenderError, Rendered, render, render_in_child_of};

fn document(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/documents");
    fs::read(folder.join(name)).unwrap()
}

static ENGLISH: LazyLock<Rendered> =
    LazyLock::new(|| render(&document("english.pdf"), &Limits::default()).unwrap());

static ARABIC: LazyLock<Rendered> =
    LazyLock::new(|| render(&document("arabic.pdf"), &Limits::default()).unwrap());

fn blocks(rendered: &Rendered) -> Vec<(BlockKind, &str)> {
    rendered.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

const fn heading(level: u8) -> BlockKind {
    BlockKind::Heading { level }
}

#[test]
fn english_pages_are_a4_at_two_sizes() {
    assert_eq!(ENGLISH.pages.len(), 3);
    for page in &ENGLISH.pages {
        assert_eq!((page.width, page.height), (780, 1103));
        assert_eq!(png_size(&page.png_1x), (780, 1103));
        assert_eq!(png_size(&page.png_2x), (1560, 2206));
    }
    assert_eq!(ENGLISH.findings, []);
}

fn png_size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    (number(16), number(20))
}

#[test]
fn english_has_headings_items_and_whole_paragraphs() {
    let blocks = blocks(&ENGLISH);
    let expected = [
        (heading(1), "Rider terms"),
        (
            BlockKind::Paragraph,
            "Example Riders Ltd. is a company that does not exist. These terms are sample text for tests and \
             are not offered to anyone. They have an efficient office, five fictional floors and a flag.",
        ),
        (heading(2), "1 Who may ride"),
        (
            BlockKind::Paragraph,
            "A rider is a person who has been accepted by Example Riders Ltd. and has agreed to these terms. \
             The fee for the first kit is 12.50 euros, paid once, in cash or from the first pay; nobody is \
             asked for more than that. It ends on 31 December 2031.",
        ),
        (BlockKind::Paragraph, "You need:"),
        (BlockKind::Item, "a bicycle that stops when you brake,"),
        (
            BlockKind::Item,
            "a helmet, and a light that can be seen at a distance of one hundred metres in fog or in heavy \
             rain, by drivers who are not looking for you,",
        ),
        (BlockKind::Item, "a phone."),
        (heading(3), "1.1 How to apply"),
        (BlockKind::Item, "1. Fill in the form (it takes five minutes)."),
        (
            BlockKind::Item,
            "2. Read these terms; ask if a sentence is not clear to you, for no question is too small for \
             us to answer it in your language.",
        ),
        (BlockKind::Item, "3. Agree."),
        (heading(2), "2 Pay"),
        (BlockKind::Paragraph, "Work · Rate · Paid"),
        (BlockKind::Paragraph, "Delivery · 4.10 euros · weekly"),
        (BlockKind::Paragraph, "Waiting time · 0.20 euros a minute · monthly"),
    ];
    for (found, expected) in blocks.iter().zip(expected) {
        assert_eq!(*found, expected);
    }
    assert!(blocks.contains(&(heading(3), "What is not paid")));
    assert!(blocks.contains(&(BlockKind::Paragraph, "Area is measured in m2. The end.")));
}

#[test]
fn page_furniture_is_in_the_text_and_not_in_the_reading_view() {
    let furniture = |text: &str| text == "Example Riders Ltd." || text.ends_with(" of 3");
    assert!(!ENGLISH.blocks.iter().any(|block| furniture(&block.text)));
    let pages: Vec<&str> = ENGLISH.text.split('\u{C}').collect();
    assert_eq!(pages.len(), 3);
    for (number, page) in (1..).zip(pages) {
        assert!(page.split("\n\n").any(|paragraph| paragraph == format!("{number} of 3")));
    }
}

#[test]
fn lines_lie_on_the_page_where_their_letters_are() {
    let title = &ENGLISH.pages[0].lines.iter().find(|line| line.text == "Rider terms").unwrap();
    // Centred on A4, at a fifth of an inch either way; 20 pt bold is 26 px high.
    assert!((title.x + title.width / 2.0 - 390.0).abs() < 2.0, "{title:?}");
    assert!((60.0..110.0).contains(&title.y) && (25.0..36.0).contains(&title.height), "{title:?}");
    for page in ENGLISH.pages.iter().chain(&ARABIC.pages) {
        assert!(!page.lines.is_empty());
        for line in &page.lines {
            assert!(line.x >= 0.0 && line.x + line.width <= 780.0, "{line:?}");
            assert!(line.y >= 0.0 && line.y + line.height <= 1103.0, "{line:?}");
        }
    }
}

#[test]
fn arabic_is_read_in_logical_order() {
    let expected = [
        (heading(1), "شروط الاستخدام"),
        (
            BlockKind::Paragraph,
            "هذه وثيقة تجريبية لشركة Example GmbH فقط، ولا تقدم إلى أحد. اقرأها كلها قبل أن توافق عليها، لأن \
             الموافقة تعني قبول كل ما جاء فيها من أحكام عامة وخاصة.",
        ),
        (heading(2), "المادة الأولى: الرسوم"),
        (
            BlockKind::Paragraph,
            "تبلغ الرسوم 12.50 يورو في السنة، أي نسبة 25% من المبلغ (بحد أقصى)، وتبدأ الخدمة في 01/12/2031.",
        ),
        (BlockKind::Paragraph, "يحتاج السائق إلى:"),
        (BlockKind::Item, "دراجة سليمة،"),
        (BlockKind::Item, "خوذة ومصباح،"),
        (BlockKind::Item, "هاتف."),
        (heading(2), "المادة الثانية: الأجر"),
        (BlockKind::Item, "1. يدفع الأجر كل أسبوع."),
        (BlockKind::Item, "2. لا يدفع الأجر عن وقت الانتظار إلا بعد خمس دقائق."),
        (BlockKind::Paragraph, "مُحَمَّدٌ سائقٌ خياليّ."),
        (heading(2), "المادة الثالثة: الإنهاء"),
        (
            BlockKind::Paragraph,
            "يجوز لكل طرف إنهاء العقد في أي وقت. الرقم ١٢٣ رقم خيالي. نهاية الوثيقة.",
        ),
    ];
    assert_eq!(blocks(&ARABIC), expected);
    assert!(ARABIC.blocks.iter().all(|block| block.rtl));
    assert_eq!(ARABIC.blocks.iter().map(|block| block.page).max(), Some(2));
}

#[test]
fn a_scan_has_pictures_and_no_text() {
    let scan = render(&document("scan.pdf"), &Limits::default()).unwrap();
    assert_eq!((scan.pages.len(), scan.text.as_str(), scan.blocks.len()), (1, "", 0));
    assert!(scan.pages[0].png_1x.len() > 20_000, "a drawn picture is not an empty page");
}

#[test]
fn a_landscape_page_keeps_its_short_side_and_its_colours() {
    let colour = render(&document("colour.pdf"), &Limits::default()).unwrap();
    let page = &colour.pages[0];
    assert_eq!((page.width, page.height), (1103, 780));
    // Colour type in the header: 2 is true colour, 3 a palette.
    assert!(matches!(page.png_1x[25], 2 | 3));
    assert_eq!(colour.blocks[0].text, "Marketing");
}

#[test]
fn files_that_are_no_readable_pdf_are_told_apart() {
    let code = |bytes: &[u8]| render(bytes, &Limits::default()).unwrap_err().code();
    let english = document("english.pdf");
    assert_eq!(code(b""), "document_not_pdf");
    assert_eq!(code(b"<html>%%EOF</html>"), "document_not_pdf");
    assert_eq!(code(b"%PDF-1.7\nnothing\n%%EOF"), "document_unreadable");
    assert_eq!(code(&english[..english.len() / 2]), "document_unreadable");
    assert_eq!(render(&document("encrypted.pdf"), &Limits::default()), Err(RenderError::Encrypted));
    let small = Limits { input_bytes: 1000, ..Limits::default() };
    assert_eq!(render(&english, &small), Err(RenderError::TooLarge { limit_bytes: 1000 }));
    let few = Limits { pages: 2, ..Limits::default() };
    assert_eq!(render(&english, &few), Err(RenderError::TooManyPages { pages: 3, limit: 2 }));
}

/// One page with this size and content.
fn page(size: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let page = format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[{size}]/Contents 4 0 R\
         /Resources<</XObject<</F 5 0 R>>>>>>"
    );
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
    ];
    objects.extend_from_slice(more);
    file(&objects)
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_musette"))
}

async fn in_child(pdf: &[u8], limits: &Limits) -> Result<Rendered, RenderError> {
    render_in_child_of(&program(), pdf, limits).await
}

#[tokio::test]
async fn the_child_gives_what_the_process_itself_would() {
    let answer = in_child(&document("arabic.pdf"), &Limits::default()).await.unwrap();
    assert!(answer == *ARABIC, "the answer differs from that of the same process");
    let refused = in_child(&document("encrypted.pdf"), &Limits::default()).await;
    assert_eq!(refused, Err(RenderError::Encrypted));
    let few = Limits { pages: 1, ..Limits::default() };
    let refused = in_child(&document("arabic.pdf"), &few).await;
    assert_eq!(refused, Err(RenderError::TooManyPages { pages: 2, limit: 1 }));
}

#[tokio::test]
async fn a_huge_page_becomes_a_page_of_usual_size() {
    let square = page("0 0 14400 14400", &[stream("", b"0 0 7200 7200 re f"), stream("", b"")]);
    let answer = in_child(&square, &Limits::default()).await.unwrap();
    assert_eq!((answer.pages[0].width, answer.pages[0].height), (780, 780));
    let ribbon = page("0 0 1 1000000", &[stream("", b""), stream("", b"")]);
    let answer = in_child(&ribbon, &Limits::default()).await.unwrap();
    assert_eq!((answer.pages[0].width, answer.pages[0].height), (1, 2200));
}

#[tokio::test]
async fn a_page_tree_that_loops_or_lies_ends() {
    let looping = file(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[2 0 R 3 0 R 3 0 R]/Count 1000000>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>".to_vec(),
    ]);
    assert_eq!(in_child(&looping, &Limits::default()).await.unwrap().pages.len(), 1);
    let kids = "<</Type/Page>>".repeat(1_000_000);
    let many = file(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count 1>>").into_bytes(),
    ]);
    let refused = in_child(&many, &Limits::default()).await.unwrap_err();
    assert!(
        matches!(refused.code(), "document_too_many_pages" | "document_render_memory"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn forms_that_multiply_run_out_of_time() {
    // Each draws the next ten times, twelve deep.
    let mut forms = vec![stream("", b"/F Do")];
    for number in 5..17 {
        let next = number + 1;
        let entries = format!(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F {next} 0 R>>>>"
        );
        forms.push(stream(&entries, "/F Do ".repeat(10).as_bytes()));
    }
    forms.push(stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"));
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let start = Instant::now();
    let refused = in_child(&page("0 0 100 100", &forms), &limits).await;
    assert_eq!(refused, Err(RenderError::TimedOut { limit_s: 2 }));
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn a_stream_that_swells_runs_out_of_memory() {
    // Two bytes of the run-length code become 128.
    let swelling = [129u8, b' '].repeat(4 * 1024 * 1024);
    let bomb =
        page("0 0 100 100", &[stream("/Filter/RunLengthDecode", &swelling), stream("", b"")]);
    let limits = Limits { memory_bytes: 256 * 1024 * 1024, ..Limits::default() };
    assert_eq!(in_child(&bomb, &limits).await, Err(RenderError::OutOfMemory));
}

#[tokio::test]
async fn a_child_that_cannot_start_its_work_says_so() {
    let limits = Limits { memory_bytes: 0, ..Limits::default() };
    let refused = in_child(&document("colour.pdf"), &limits).await.unwrap_err();
    assert!(
        matches!(refused.code(), "document_render_memory" | "document_render_unavailable"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn deep_nesting_is_an_error_or_an_empty_page_but_never_the_end_of_the_server() {
    let deep = [b"[".repeat(4_000_000), b" TJ".to_vec()].concat();
    let dictionaries = "<</A ".repeat(1_000_000).into_bytes();
    for content in [deep, dictionaries] {
        let answer = in_child(
            &page("0 0 100 100", &[stream("", &content), stream("", b"")]),
            &Limits::default(),
        )
        .await;
        match answer {
            Ok(rendered) => assert_eq!(rendered.text, ""),
            Err(error) => assert_eq!(error.code(), "document_unreadable"),
        }
    }
}

#[tokio::test]
async fn a_program_that_is_no_renderer_is_an_error() {
    let nowhere = Path::new("/nowhere/at-all");
    let missing = render_in_child_of(nowhere, &document("colour.pdf"), &Limits::default()).await;
    assert_eq!(missing.unwrap_err().code(), "document_render_unavailable");
    let silent = Path::new("/bin/true");
    let nothing = render_in_child_of(silent, &document("colour.pdf"), &Limits::default()).await;
    assert_eq!(nothing.unwrap_err().code(), "document_unreadable");
}

#[test]
fn blocks_name_the_page_on_which_they_begin() {
    let pages: Vec<u32> = ENGLISH.blocks.iter().map(|block: &Block| block.page).collect();
    assert!(pages.is_sorted());
    assert_eq!((pages.first(), pages.last()), (Some(&1), Some(&3)));
}

/// Words and numbers; what is between them differs by the layout.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, ':' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{670}')
    };
    text.split(move |c| !is_part(c)).map(|word| word.trim_matches(':')).filter(|it| !it.is_empty())
}

/// A screen reader reads the words of the contract and no others.
#[test]
fn no_word_is_read_that_was_not_written() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let files = |folder: &str| {
        fs::read_dir(demo.join(folder)).unwrap().map(|file| file.unwrap().path()).collect()
    };
    let sources: Vec<PathBuf> = files("sources");
    let written: String = sources.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let written: HashSet<&str> = words(&written).collect();
    let is_arabic = |file: &&PathBuf| file.to_string_lossy().ends_with(".ar.pdf");
    let documents: Vec<PathBuf> = files("documents");
    let mut heard = 0;
    for file in documents.iter().filter(is_arabic) {
        let rendered = render(&fs::read(file).unwrap(), &Limits::default()).unwrap();
        // Numbers of pages and sections are nowhere in the sources.
        let is_counted = |word: &&str| word.parse::<u8>().is_err();
        let read: HashSet<&str> = words(&rendered.text).filter(is_counted).collect();
        let unheard: Vec<_> = read.difference(&written).collect();
        assert_eq!(unheard, [&""; 0], "{}", file.display());
        heard += usize::from(!read.is_empty());
    }
    assert_eq!(heard, 6, "all but the scan");
}

#[test]
fn what_a_page_lacks_and_what_acts_is_named_with_its_page() {
    let all = hostile::incomplete().into_iter().chain(hostile::active());
    for hostile in all {
        let rendered = render(&hostile.bytes, &Limits::default()).expect(hostile.name);
        let found = rendered.findings.iter().any(|it| {
            Some(it.kind.code()) == hostile.kind
                && it.page == hostile.page
                && it.name.contains(hostile.named)
        });
        assert!(found, "{}: {:?}", hostile.name, rendered.findings);
    }
    for hostile in hostile::undrawable() {
        let refused = render(&hostile.bytes, &Limits::default());
        assert!(refused.is_err_and(|it| it.is_of_content()), "{}", hostile.name);
    }
}

#[test]
fn nothing_is_said_of_what_is_complete() {
    for (name, bytes) in hostile::harmless() {
        let rendered = render(&bytes, &Limits::default()).expect(name);
        assert_eq!(rendered.findings, [], "{name}");
    }
    for name in ["english.pdf", "arabic.pdf", "colour.pdf", "scan.pdf"] {
        let rendered = render(&document(name), &Limits::default()).expect(name);
        assert_eq!(rendered.findings, [], "{name}");
    }
}

#[test]
fn the_demo_s_documents_are_complete_and_do_nothing() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    for file in fs::read_dir(demo).unwrap() {
        let path = file.unwrap().path();
        let rendered = render(&fs::read(&path).unwrap(), &Limits::default()).unwrap();
        assert_eq!(rendered.findings, [], "{}", path.display());
    }
}

/// Values that a program filled into a form are rendered and read.
#[test]
fn values_and_marks_are_drawn() {
    let rendered = |bytes: &[u8]| render(bytes, &Limits::default()).unwrap();
    let typed = rendered(&hostile::field(true, "/FT/Tx/V(99.50 \\240)", &[]));
    assert!(typed.text.contains("99.50 €"), "{:?}", typed.text);
    let chosen = hostile::field(true, "/FT/Ch/V(a)/Opt[[(a)(Weekly pay)][(b)(Monthly)]]", &[]);
    assert!(rendered(&chosen).text.contains("Weekly pay"));
    let words = hostile::annotation("/Subtype/FreeText/Contents(A fee of 20)/DA(/H 9 Tf 0 g)");
    assert!(rendered(&words).text.contains("A fee of 20"));
    // An appearance of another value gives way to the value.
    let former = "<</Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F 5 0 R>>>>\
                  /Length 31>>stream\nBT /F 9 Tf 2 5 Td (free) Tj ET  \nendstream";
    let stale = hostile::field(true, "/FT/Tx/V(Fee 20)/AP<</N 7 0 R>>", &[former]);
    assert!(rendered(&stale).text.contains("Fee 20"), "{:?}", rendered(&stale).text);
    let image = |bytes: &[u8]| rendered(bytes).pages.remove(0).png_1x;
    let empty = image(&hostile::with("", "", &[]));
    for (name, bytes) in [
        ("a highlight", hostile::annotation("/Subtype/Highlight")),
        ("a line through", hostile::annotation("/Subtype/StrikeOut")),
        ("a line below", hostile::annotation("/Subtype/Underline/C[1 0 0]")),
        ("a drawing", hostile::annotation("/Subtype/Ink/InkList[[30 105 60 110 90 105]]")),
        ("a box", hostile::annotation("/Subtype/Square/C[0 0 1]")),
        ("a ring", hostile::annotation("/Subtype/Circle")),
        ("a note", hostile::annotation("/Subtype/Text")),
        ("a tick", hostile::field(true, "/FT/Btn/V/Yes/AS/Yes", &[])),
        ("a chosen button", hostile::field(true, "/FT/Btn/Ff 32768/V/a/AS/a", &[])),
    ] {
        assert!(image(&bytes) != empty, "{name} is not drawn");
    }
    let off = hostile::field(true, "/FT/Btn/V/Off/AS/Off", &[]);
    assert!(image(&off) == empty, "a box without a tick is not ticked");
}
