//! Documents as clients upload them: read and rendered. Invalid documents are refused in a limited
//! child process.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use crate::hostile::{self, file, stream};
use musette_render::{
    Block, BlockKind, Doubt, DoubtKind, Limits, Progress, RenderError, Rendered, render,
    render_in_child_of,
};

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
fn renders_english_pages_as_a4_in_two_sizes() {
    assert_eq!(ENGLISH.pages.len(), 3);
    for page in &ENGLISH.pages {
        assert_eq!((page.width, page.height), (780, 1103));
        assert_eq!(size(&page.image_1x), (780, 1103));
        assert_eq!(size(&page.image_2x), (1560, 2206));
    }
    assert_eq!(ENGLISH.findings, []);
}

fn decoded(image: &[u8]) -> webp::WebPImage {
    webp::Decoder::new(image).decode().expect("a WebP")
}

fn size(image: &[u8]) -> (u32, u32) {
    assert_eq!(&image[12..16], b"VP8L", "lossless");
    let pixels = decoded(image);
    (pixels.width(), pixels.height())
}

#[test]
fn an_image_matches_the_page() {
    let colour = render(&document("colour.pdf"), &Limits::default()).unwrap();
    let page = decoded(&colour.pages[0].image_2x);
    let colours: HashSet<&[u8]> = page.chunks_exact(3).collect();
    // The colours of the paper, the title and the last line, as in `colour.typ`.
    for expected in [[0xff, 0xf7, 0xed], [0xc8, 0x10, 0x2e], [0x16, 0x65, 0x34]] {
        assert!(colours.contains(&expected[..]), "{expected:?}");
    }
    let black = decoded(&ENGLISH.pages[0].image_2x);
    let greys: HashSet<&[u8]> = black.chunks_exact(3).collect();
    assert!(greys.contains(&[0, 0, 0][..]) && greys.contains(&[255, 255, 255][..]), "{greys:?}");
    assert!(greys.len() <= 16 && greys.iter().all(|grey| grey[0] == grey[1] && grey[1] == grey[2]));
}

#[test]
fn reads_headings_items_and_whole_paragraphs() {
    let blocks = blocks(&ENGLISH);
    let expected = [
        (BlockKind::Margin, "Example Riders Ltd."),
        (heading(1), "Rider terms"),
        (
            BlockKind::Paragraph,
            "Example Riders Ltd. is a company that does not exist. These terms are sample text for tests and \
             are not offered to anyone. They have an efficient office, five fictional floors and a flag.",
        ),
        (heading(1), "1 Who may ride"),
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
        (heading(2), "1.1 How to apply"),
        (BlockKind::Item, "1. Fill in the form (it takes five minutes)."),
        (
            BlockKind::Item,
            "2. Read these terms; ask if a sentence is not clear to you, for no question is too small for \
             us to answer it in your language.",
        ),
        (BlockKind::Item, "3. Agree."),
        (heading(1), "2 Pay"),
        (
            BlockKind::Table,
            "Work · Rate · Paid\nDelivery · 4.10 euros · weekly\n\
             Waiting time · 0.20 euros a minute · monthly",
        ),
    ];
    for (actual, expected) in blocks.iter().zip(expected) {
        assert_eq!(*actual, expected);
    }
    assert!(blocks.contains(&(heading(3), "What is not paid")));
    assert!(blocks.contains(&(BlockKind::Paragraph, "Area is measured in m². The end.")));
}

#[test]
fn reads_running_heads_once_and_skips_page_numbers() {
    let heads = ENGLISH.blocks.iter().filter(|block| block.kind == BlockKind::Margin);
    assert_eq!(heads.map(|block| block.text.as_str()).collect::<Vec<_>>(), ["Example Riders Ltd."]);
    assert!(!ENGLISH.blocks.iter().any(|block| block.text.ends_with(" of 3")));
    let pages: Vec<&str> = ENGLISH.text.split('\u{C}').collect();
    assert_eq!(pages.len(), 3);
    for (number, page) in (1..).zip(pages) {
        assert!(page.split("\n\n").any(|paragraph| paragraph == format!("{number} of 3")));
    }
}

#[test]
fn positions_lines_at_their_letters() {
    let title = &ENGLISH.pages[0].lines.iter().find(|line| line.text == "Rider terms").unwrap();
    // Centred on A4, within a fifth of an inch on either side; 20 pt bold is 26 px high.
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
fn reads_arabic_in_logical_order() {
    let expected = [
        (heading(1), "شروط الاستخدام"),
        (
            BlockKind::Paragraph,
            "هذه وثيقة تجريبية لشركة Example GmbH فقط، ولا تقدم إلى أحد. اقرأها كلها قبل أن توافق عليها، لأن \
             الموافقة تعني قبول كل ما جاء فيها من أحكام عامة وخاصة.",
        ),
        (heading(1), "المادة الأولى: الرسوم"),
        (
            BlockKind::Paragraph,
            "تبلغ الرسوم 12.50 يورو في السنة، أي نسبة 25% من المبلغ (بحد أقصى)، وتبدأ الخدمة في 01/12/2031.",
        ),
        (BlockKind::Paragraph, "يحتاج السائق إلى:"),
        (BlockKind::Item, "دراجة سليمة،"),
        (BlockKind::Item, "خوذة ومصباح،"),
        (BlockKind::Item, "هاتف."),
        (heading(1), "المادة الثانية: الأجر"),
        (BlockKind::Item, "1. يدفع الأجر كل أسبوع."),
        (BlockKind::Item, "2. لا يدفع الأجر عن وقت الانتظار إلا بعد خمس دقائق."),
        (BlockKind::Paragraph, "مُحَمَّدٌ سائقٌ خياليّ."),
        (heading(1), "المادة الثالثة: الإنهاء"),
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
    assert_eq!(scan.doubts, [Doubt { page: 1, kind: DoubtKind::Picture }]);
    assert!(scan.pages[0].image_1x.len() > 20_000, "a drawn picture is not an empty page");
}

#[test]
fn a_landscape_page_keeps_its_short_side_and_its_colours() {
    let colour = render(&document("colour.pdf"), &Limits::default()).unwrap();
    let page = &colour.pages[0];
    assert_eq!((page.width, page.height), (1103, 780));
    let pixels = decoded(&page.image_1x);
    assert!(pixels.chunks_exact(3).any(|pixel| pixel[0].abs_diff(pixel[2]) > 50), "in colour");
    assert_eq!(colour.blocks[0].text, "Marketing");
}

#[test]
fn distinguishes_kinds_of_unreadable_files() {
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

/// Builds one page with this size and content.
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
    render_in_child_of(&program(), pdf, limits, &|_| ()).await
}

#[tokio::test]
async fn the_child_returns_the_same_result_as_the_process() {
    let answer = in_child(&document("arabic.pdf"), &Limits::default()).await.unwrap();
    assert!(answer == *ARABIC, "the answer differs from that of the same process");
    let refused = in_child(&document("encrypted.pdf"), &Limits::default()).await;
    assert_eq!(refused, Err(RenderError::Encrypted));
    let few = Limits { pages: 1, ..Limits::default() };
    let refused = in_child(&document("arabic.pdf"), &few).await;
    assert_eq!(refused, Err(RenderError::TooManyPages { pages: 2, limit: 1 }));
}

#[tokio::test]
async fn reports_progress_for_each_page() {
    for threads in [1, 4] {
        let limits = Limits { threads, ..Limits::default() };
        let progress = Mutex::new(Vec::new());
        let tell = |Progress { page, pages }| progress.lock().unwrap().push((page, pages));
        render_in_child_of(&program(), &document("english.pdf"), &limits, &tell).await.unwrap();
        assert_eq!(*progress.lock().unwrap(), [(1, 3), (2, 3), (3, 3)], "{threads}");
    }
}

#[tokio::test]
async fn limits_the_total_size_of_images() {
    let pdf = document("english.pdf");
    let all: usize =
        ENGLISH.pages.iter().map(|page| page.image_1x.len() + page.image_2x.len()).sum();
    let limits = |image_bytes| Limits { image_bytes, ..Limits::default() };
    assert!(in_child(&pdf, &limits(all)).await.unwrap() == *ENGLISH);
    let refused = RenderError::ImagesTooLarge { limit_bytes: all - 1 };
    assert_eq!(in_child(&pdf, &limits(all - 1)).await, Err(refused));
}

#[tokio::test]
async fn scales_a_huge_page_down() {
    let square = page("0 0 14400 14400", &[stream("", b"0 0 7200 7200 re f"), stream("", b"")]);
    let answer = in_child(&square, &Limits::default()).await.unwrap();
    assert_eq!((answer.pages[0].width, answer.pages[0].height), (780, 780));
    let ribbon = page("0 0 1 1000000", &[stream("", b""), stream("", b"")]);
    let answer = in_child(&ribbon, &Limits::default()).await.unwrap();
    assert_eq!((answer.pages[0].width, answer.pages[0].height), (1, 2200));
}

#[tokio::test]
async fn handles_page_trees_with_loops_or_wrong_counts() {
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
async fn stops_multiplying_forms_at_the_time_limit() {
    // Each form draws the next one ten times, twelve levels deep.
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
async fn stops_an_expanding_stream_at_the_memory_limit() {
    // Two bytes of the run-length code become 128.
    let swelling = [129u8, b' '].repeat(4 * 1024 * 1024);
    let bomb =
        page("0 0 100 100", &[stream("/Filter/RunLengthDecode", &swelling), stream("", b"")]);
    let limits = Limits { memory_bytes: 256 * 1024 * 1024, ..Limits::default() };
    assert_eq!(in_child(&bomb, &limits).await, Err(RenderError::OutOfMemory));
}

#[tokio::test]
async fn reports_a_child_that_cannot_start_its_work() {
    let limits = Limits { memory_bytes: 0, ..Limits::default() };
    let refused = in_child(&document("colour.pdf"), &limits).await.unwrap_err();
    assert!(
        matches!(refused.code(), "document_render_memory" | "document_render_unavailable"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn deep_nesting_never_stops_the_server() {
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
async fn reports_a_program_that_is_not_a_renderer() {
    let nowhere = Path::new("/nowhere/at-all");
    let missing =
        render_in_child_of(nowhere, &document("colour.pdf"), &Limits::default(), &|_| ()).await;
    assert_eq!(missing.unwrap_err().code(), "document_render_unavailable");
    let silent = Path::new("/bin/true");
    let nothing =
        render_in_child_of(silent, &document("colour.pdf"), &Limits::default(), &|_| ()).await;
    assert_eq!(nothing.unwrap_err().code(), "document_unreadable");
}

#[test]
fn blocks_name_the_page_on_which_they_begin() {
    let pages: Vec<u32> = ENGLISH.blocks.iter().map(|block: &Block| block.page).collect();
    assert!(pages.is_sorted());
    assert_eq!((pages.first(), pages.last()), (Some(&1), Some(&3)));
}

/// Splits a text into words and numbers. The characters between them depend on the layout.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, ':' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{670}')
    };
    text.split(move |c| !is_part(c))
        .map(|word| word.trim_matches(':'))
        .filter(|word| !word.is_empty())
}

/// A screen reader reads exactly the words of the contract.
#[test]
fn reads_only_words_of_the_source() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let files = |folder: &str| {
        fs::read_dir(demo.join(folder)).unwrap().map(|file| file.unwrap().path()).collect()
    };
    let sources: Vec<PathBuf> = files("sources");
    let written: String = sources.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let written: HashSet<&str> = words(&written).collect();
    let is_arabic = |file: &&PathBuf| file.to_string_lossy().ends_with(".ar.pdf");
    let documents: Vec<PathBuf> = files("documents");
    let mut checked = 0;
    for file in documents.iter().filter(is_arabic) {
        let rendered = render(&fs::read(file).unwrap(), &Limits::default()).unwrap();
        // The sources contain no page numbers and no section numbers.
        let is_counted = |word: &&str| word.parse::<u8>().is_err();
        let read: HashSet<&str> = words(&rendered.text).filter(is_counted).collect();
        let unexpected: Vec<_> = read.difference(&written).collect();
        assert_eq!(unexpected, [&""; 0], "{}", file.display());
        checked += usize::from(!read.is_empty());
    }
    assert_eq!(checked, 8, "all but the scan");
}

#[test]
fn findings_name_the_page() {
    let all = hostile::incomplete().into_iter().chain(hostile::active());
    for hostile in all {
        let rendered = render(&hostile.bytes, &Limits::default()).expect(hostile.name);
        let is_reported = rendered.findings.iter().any(|finding| {
            Some(finding.kind.code()) == hostile.kind
                && finding.page == hostile.page
                && finding.name.contains(hostile.named)
        });
        assert!(is_reported, "{}: {:?}", hostile.name, rendered.findings);
    }
    for hostile in hostile::undrawable() {
        let refused = render(&hostile.bytes, &Limits::default());
        assert!(refused.is_err_and(|error| error.is_of_content()), "{}", hostile.name);
    }
}

#[test]
fn complete_documents_have_no_findings() {
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
fn documents_of_the_demo_have_no_findings() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    for file in fs::read_dir(demo).unwrap() {
        let path = file.unwrap().path();
        let rendered = render(&fs::read(&path).unwrap(), &Limits::default()).unwrap();
        assert_eq!(rendered.findings, [], "{}", path.display());
    }
}

/// Values that a program entered into a form are rendered and read.
#[test]
fn renders_values_and_marks() {
    let rendered = |bytes: &[u8]| render(bytes, &Limits::default()).unwrap();
    let typed = rendered(&hostile::field(true, "/FT/Tx/V(99.50 \\240)", &[]));
    assert!(typed.text.contains("99.50 €"), "{:?}", typed.text);
    let chosen = hostile::field(true, "/FT/Ch/V(a)/Opt[[(a)(Weekly pay)][(b)(Monthly)]]", &[]);
    assert!(rendered(&chosen).text.contains("Weekly pay"));
    let words = hostile::annotation("/Subtype/FreeText/Contents(A fee of 20)/DA(/H 9 Tf 0 g)");
    assert!(rendered(&words).text.contains("A fee of 20"));
    // The value takes precedence over an appearance of another value.
    let former = "<</Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F 5 0 R>>>>\
                  /Length 31>>stream\nBT /F 9 Tf 2 5 Td (free) Tj ET  \nendstream";
    let stale = hostile::field(true, "/FT/Tx/V(Fee 20)/AP<</N 7 0 R>>", &[former]);
    assert!(rendered(&stale).text.contains("Fee 20"), "{:?}", rendered(&stale).text);
    let image = |bytes: &[u8]| rendered(bytes).pages.remove(0).image_1x;
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
    let ticked = hostile::field(true, "/FT/Btn/V/Yes/AS/Yes", &[]);
    assert!(image(&off) != image(&ticked), "a box without a tick is not ticked");
}

/// Removes the tags of a document, for programs that do not use them.
fn untagged(name: &str) -> Rendered {
    let tagged = document(name);
    let key = b"/StructTreeRoot";
    let mut bytes = tagged.clone();
    for at in 0..tagged.len() - key.len() {
        if tagged[at..].starts_with(key) {
            bytes[at..at + key.len()].copy_from_slice(b"/StructTreeNone");
        }
    }
    assert!(bytes != tagged, "{name} has no tags");
    render(&bytes, &Limits::default()).unwrap()
}

#[test]
fn reads_the_same_text_with_and_without_tags() {
    for (name, tagged) in [("english.pdf", &*ENGLISH), ("arabic.pdf", &*ARABIC)] {
        let untagged = untagged(name);
        let texts = |rendered: &Rendered| -> Vec<String> {
            rendered.blocks.iter().map(|block| block.text.clone()).collect()
        };
        assert_eq!(texts(tagged), texts(&untagged), "{name}");
        assert_eq!((&tagged.doubts[..], &untagged.doubts[..]), (&[][..], &[][..]), "{name}");
        for (one, other) in tagged.blocks.iter().zip(&untagged.blocks) {
            assert_eq!(
                (&one.marker, one.depth, &one.rows),
                (&other.marker, other.depth, &other.rows)
            );
        }
    }
}

#[test]
fn documents_of_the_demo_have_tables_figures_frames_and_items_without_warnings() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    let read =
        |name: &str| render(&fs::read(demo.join(name)).unwrap(), &Limits::default()).unwrap();
    for name in ["rider-handbook.en.pdf", "rider-handbook.ar.pdf", "marketing-messages.ar.pdf"] {
        let rendered = read(name);
        let count = |kind| rendered.blocks.iter().filter(|block| block.kind == kind).count();
        assert_eq!(rendered.doubts, [], "{name}");
        assert!(count(BlockKind::Table) >= 1 && count(BlockKind::Item) >= 5, "{name}");
        assert!(
            rendered
                .blocks
                .iter()
                .filter(|block| block.kind == BlockKind::Item)
                .all(|block| block.depth > 0)
        );
    }
    let handbook = read("rider-handbook.en.pdf");
    assert!(handbook.blocks.iter().any(|block| block.framed.is_some()));
    let map = handbook
        .blocks
        .iter()
        .find(|block| block.kind == BlockKind::Figure && block.page == 3)
        .unwrap();
    let area = map.area.unwrap();
    assert!(area.width > 300.0 && area.height > 100.0, "{area:?}");
    assert_eq!(map.text.split_whitespace().collect::<Vec<_>>(), ["1", "2", "3", "4"]);
}

/// Builds one page with a structure tree. `content` may use the fonts F and B.
fn tagged(content: &str, kids: &str) -> Vec<u8> {
    file(&[
        b"<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R\
          /Resources<</Font<</F 5 0 R>>>>>>"
            .to_vec(),
        stream("", content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
        format!("<</Type/StructTreeRoot/K[{kids}]>>").into_bytes(),
    ])
}

const FIRST: &str = "/P<</MCID 0>>BDC BT /F 12 Tf 20 300 Td (You pay no fee.) Tj ET EMC ";
const SECOND: &str = "/P<</MCID 1>>BDC BT /F 12 Tf 20 270 Td (This holds for ever.) Tj ET EMC ";

fn element(tag: u32) -> String {
    format!("<</S/P/Pg 3 0 R/K {tag}>>")
}

fn read_texts(pdf: &[u8]) -> (Vec<String>, Vec<DoubtKind>) {
    let rendered = render(pdf, &Limits::default()).unwrap();
    let doubts = rendered.doubts.iter().map(|doubt| doubt.kind).collect();
    (rendered.blocks.into_iter().map(|block| block.text).collect(), doubts)
}

#[test]
fn tags_determine_roles_but_not_words_or_an_order_that_contradicts_the_page() {
    let page = format!("{FIRST}{SECOND}");
    let both = ["You pay no fee.", "This holds for ever."];
    let honest = tagged(&page, &(element(0) + &element(1)));
    assert_eq!(read_texts(&honest), (both.map(str::to_owned).to_vec(), vec![]));
    for (what, kids) in [
        ("turned round", element(1) + &element(0)),
        ("said twice", element(0) + &element(1) + &element(0)),
        ("left out", element(1)),
        ("in a circle", "6 0 R 6 0 R".to_owned() + &element(0) + &element(1)),
        (
            "replaced",
            "<</S/P/Pg 3 0 R/K 0/ActualText(You pay 500.)/Alt(500)>>".to_owned() + &element(1),
        ),
    ] {
        let (texts, doubts) = read_texts(&tagged(&page, &kids));
        assert_eq!((texts.join(" "), &doubts[..]), (both.join(" "), &[][..]), "{what}");
    }
    let label = page.replace("EMC /P", "EMC BT /F 12 Tf 150 285 Td (A label.) Tj ET /P");
    let (texts, doubts) = read_texts(&tagged(&label, &(element(0) + &element(1))));
    assert_eq!((texts, doubts), (vec![both[0].into(), "A label.".into(), both[1].into()], vec![]));
    let ornament = page.replace("/P<</MCID 0>>", "/Artifact<</MCID 0>>");
    let (texts, _) = read_texts(&tagged(&ornament, &element(1)));
    assert_eq!(texts.join(" "), both.join(" "), "an ornament is read");
    let spoken = page.replace("<</MCID 0>>", "<</MCID 0/ActualText(You pay 500.)>>");
    assert_eq!(read_texts(&tagged(&spoken, &(element(0) + &element(1)))).0, both);
}

#[test]
fn does_not_read_invisible_text() {
    let white = format!("{FIRST} 1 g BT /F 12 Tf 20 240 Td (You pay 500.) Tj ET 0 g {SECOND}");
    let invisible = format!("{FIRST}{SECOND} BT 3 Tr /F 12 Tf 20 240 Td (You pay 500.) Tj ET");
    let covered = format!(
        "BT /F 12 Tf 20 240 Td (You pay 500.) Tj ET 0 g 10 230 200 30 re f {FIRST}{SECOND}"
    );
    // A line for a signature does not hide letters.
    let over_a_rule = format!("{white} 20 238 150 0.8 re f");
    for content in [white, invisible, covered, over_a_rule] {
        let (texts, doubts) = read_texts(&tagged(&content, &(element(0) + &element(1))));
        assert!(!texts.concat().contains("500"), "{texts:?}");
        assert_eq!(doubts, [DoubtKind::Hidden]);
    }
}

#[test]
fn warns_about_an_unconfirmed_reading_order() {
    let upwards = format!("{SECOND}{FIRST}");
    let (_, doubts) = read_texts(&tagged(&upwards, &(element(1) + &element(0))));
    assert_eq!(doubts, [DoubtKind::Order]);
    // The tags correct the order of text that is drawn in another order.
    let (texts, doubts) = read_texts(&tagged(&upwards, &(element(0) + &element(1))));
    assert_eq!(texts, ["You pay no fee.", "This holds for ever."]);
    assert_eq!(doubts, []);
}

/// Renders pages without tags, each 300 by 400 points.
fn pages(contents: &[&str]) -> Rendered {
    let kids: String = (0..contents.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", contents.len()).into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ];
    for (at, content) in contents.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents {} 0 R\
             /Resources<</Font<</F 3 0 R>>>>>>",
            5 + 2 * at
        );
        objects.push(page.into_bytes());
        objects.push(stream("", content.as_bytes()));
    }
    render(&file(&objects), &Limits::default()).unwrap()
}

fn line(y: u32, text: &str) -> String {
    format!("BT /F 12 Tf 20 {y} Td ({text}) Tj ET ")
}

fn texts_of(rendered: &Rendered) -> Vec<&str> {
    rendered.blocks.iter().map(|block| block.text.as_str()).collect()
}

#[test]
fn skips_a_number_at_the_top_only_if_it_is_a_page_number() {
    let page = |top: &str, foot: &str| line(375, top) + &line(200, "A rule.") + &line(20, foot);
    let read = |tops: [&str; 3], feet: [&str; 3]| {
        let contents: Vec<String> =
            tops.iter().zip(feet).map(|(top, foot)| page(top, foot)).collect();
        let rendered = pages(&contents.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(rendered.doubts, []);
        texts_of(&rendered).join(" ")
    };
    let counted = ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"];
    let sections = read(["Section 4", "Section 5", "Section 6"], counted);
    assert_eq!(sections, "Section 4 A rule. Section 5 A rule. Section 6 A rule.");
    let fees = read(["120", "250", "900"], ["7", "8", "9"]);
    assert_eq!(fees, "120 A rule. 250 A rule. 900 A rule.");
}

#[test]
fn text_that_is_struck_through_is_shown_as_a_part_of_the_page() {
    let text = line(300, "You pay 500 euros.") + &line(200, "A rule.");
    let struck = format!("{text} 20 304 m 120 304 l S");
    let underlined = format!("{text} 20 298 m 120 298 l S");
    let rendered = pages(&[&struck]);
    assert_eq!((texts_of(&rendered), &rendered.doubts[..]), (vec!["", "A rule."], &[][..]));
    assert!(rendered.blocks[0].marked && rendered.blocks[0].area.is_some());
    let rendered = pages(&[&underlined]);
    assert_eq!(texts_of(&rendered), ["You pay 500 euros.", "A rule."]);
    assert_eq!(rendered.doubts, []);
}

#[test]
fn warns_about_overprinted_text_but_not_about_bold_by_double_printing() {
    let retyped = line(200, "You pay 500 euros.")
        + "1 g 10 190 200 30 re f 0 g "
        + &line(200, "You pay no euros.");
    let doubts = pages(&[&retyped]).doubts;
    // The page shows other words than the text behind the cover.
    let is_warning = |doubt: &Doubt| matches!(doubt.kind, DoubtKind::Words | DoubtKind::Hidden);
    assert!(doubts.iter().any(is_warning), "{doubts:?}");
    let bold =
        line(200, "You pay no euros.") + "BT /F 12 Tf 20.4 200 Td (You pay no euros.) Tj ET ";
    let rendered = pages(&[&bold]);
    assert_eq!((texts_of(&rendered), &rendered.doubts[..]), (vec!["You pay no euros."], &[][..]));
}

#[test]
fn the_logo_next_to_a_running_head_is_not_a_figure() {
    let mark = |y: u32| format!("8 {y} 9 9 re f ");
    let page = line(375, "Example Ltd.") + &line(200, "A rule.");
    let figures = |content: &str| {
        let rendered = pages(&[content; 3]);
        assert_eq!(rendered.doubts, []);
        rendered.blocks.iter().filter(|block| block.kind == BlockKind::Figure).count()
    };
    assert_eq!(figures(&(mark(374) + &page)), 0);
    assert_eq!(figures(&(mark(300) + &page)), 3);
}

#[test]
fn does_not_join_sentences_across_a_page_with_warnings() {
    let hidden = "1 g BT /F 12 Tf 20 240 Td (never) Tj ET 0 g ";
    let (first, second) = (line(200, "You are paid"), line(200, "at the end of the week."));
    assert_eq!(texts_of(&pages(&[&first, &second])), ["You are paid at the end of the week."]);
    for (one, other) in [(hidden, ""), ("", hidden)] {
        let rendered = pages(&[&format!("{first}{one}"), &format!("{second}{other}")]);
        assert_eq!(texts_of(&rendered), ["You are paid", "at the end of the week."]);
        assert_eq!(rendered.doubts[0].kind, DoubtKind::Hidden);
    }
}

#[test]
fn a_drawing_with_labels_is_not_a_frame() {
    let names = line(260, "the depot") + &line(200, "the customer");
    let rendered = pages(&[&format!("{names} 10 180 m 250 330 l 10 330 l 250 180 l S")]);
    let kinds: Vec<_> = rendered.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Figure]);
    let framed = pages(&[&format!("{names} 10 180 220 150 re S")]);
    assert!(framed.blocks.iter().all(|block| block.framed.is_some()), "{:?}", framed.blocks);
    assert_eq!(framed.blocks.len(), 2);
}
