//! Documents whose text could be read as something else than the page, by the kinds of the mistake.
//! Each has one right value: the text, the part of the page that is shown, or the finding that
//! stops publishing. `NOT_RIGHT` lists those that are not right yet, and may only become shorter.

use std::fs;
use std::path::Path;

use super::{BlockKind, Concern, FindingKind, Limits, RenderError, Rendered, render};

/// The right result for a file.
enum Right {
    /// The text contains all of these.
    Said(&'static [&'static str]),
    /// The text contains none of these, and a part of the page or the page is shown instead.
    Marked(&'static [&'static str]),
    /// Publishing reports that the page images lack something.
    Refused(FindingKind),
}

use FindingKind::{Font, FormField, Graphic};
use Right::{Marked, Refused, Said};

struct Case {
    file: &'static str,
    right: &'static [Right],
    /// Texts that must not be read out, whatever else is right.
    never: &'static [&'static str],
}

const fn case(file: &'static str, right: &'static [Right], never: &'static [&'static str]) -> Case {
    Case { file, right, never }
}

/// Files that are not right yet.
const NOT_RIGHT: &[&str] = &[];

const FREE: &[&str] = &["free of charge"];
const BOXES: &[&str] = &["☐ I want to work", "☑ I do not want", "✓ The rider has read"];
const PAYS: &str = "The company may change this with a notice of seven days.";

const CASES: &[Case] = &[
    case("00-group-not-isolated-multiply", &[Refused(Graphic)], &[]),
    case("00-highlight-in-a-group", &[Refused(Graphic)], &[]),
    case(
        "01-footnote-mark-after-price",
        &[Said(&["EUR 50¹", "EUR 10²"]), Marked(&["EUR 50", "EUR 10"])],
        &["EUR 501", "EUR 102"],
    ),
    case("01-kerned-digits", &[Said(&["110", "11.50"]), Marked(&["1 1"])], &["1 1 0", "1 1.50"]),
    case(
        "01-superscripts",
        &[Said(&["50¹ EUR", "1ˢᵗ", "20 m²", "clause 4³", "annex A⁵", "EUR 1²", "10⁻³"])],
        &["501 EUR", "1st", "m2", "43", "A5", "EUR 12", "10-3"],
    ),
    case("02-fraction-stacked", &[Said(&["2 1/2 hours"]), Marked(&["hours"])], &["21/2"]),
    case(
        "02-fraction-tex",
        &[Said(&["pays 1/2 of the costs"]), Marked(&["The rider pays", "of the costs"])],
        &["pays 1 2", "pays of"],
    ),
    case(
        "03-hyphens-at-line-ends",
        &[Said(&["self-employed", "re-sign", "Steuer- und", "Fahr- und", "Non-payment"])],
        &["selfemployed", "resign", "Steuerund", "Fahrund", "Nonpayment"],
    ),
    case("04-strike-by-hyphens", &[Marked(FREE)], &["T--h", "free"]),
    case("04-strike-by-slashes", &[Marked(FREE)], &["T//h", "free"]),
    case("04-strike-dashed-pieces", &[Marked(FREE)], &["free"]),
    case("04-strike-slanted", &[Marked(FREE)], &["free"]),
    case("04-strike-wave", &[Marked(FREE)], &["free"]),
    case("05-black-bar-thin", &[Marked(&[])], &[]),
    case("05-crossed-out-x", &[Marked(&[])], &[]),
    case("06-decimal-point-drawn", &[Said(&["3.20"]), Marked(&["3 20"])], &["3 20", "320"]),
    case("06-minus-named-space", &[Marked(&["58"])], &["58"]),
    case("06-word-as-outlines-9pt", &[Marked(&["paid back", "The deposit is"])], &["is paid"]),
    case("07-tick-boxes-drawn", &[Said(&["☐", "☒"]), Marked(&["I want", "I do not"])], &[]),
    case(
        "07-tick-boxes-wingdings-latin",
        &[Said(BOXES), Marked(&["I want", "do not want"])],
        &["¨", "þ", "ü"],
    ),
    case(
        "07-tick-boxes-wingdings-private-use",
        &[Said(BOXES), Marked(&["I want", "do not want"])],
        &["\u{F0A8}", "\u{F0FE}", "\u{F0FC}"],
    ),
    case("08-price-column-drawn-after", &[Marked(&["EUR"])], &[]),
    case("09-two-columns-drawn-by-rows", &[Said(&[]), Marked(&[])], &[" · "]),
    case(
        "10-drop-cap",
        &[Said(&["The company pays each order"]), Marked(&["company pays"])],
        &["Tf"],
    ),
    case("11-price-alone-in-foot", &[Said(&["1 €", "2 €", "3 €", "4 €"])], &[]),
    case("11-same-clause-under-each-first-heading", &[Said(&[PAYS])], &[]),
    case("12-cyrillic-letters-not-embedded", &[Refused(Font)], &[]),
    case("12-czech-letters-not-embedded", &[Refused(Font)], &[]),
    case("12-polish-letters-not-embedded", &[Refused(Font)], &[]),
    case("13-layer-visibility-expression", &[Refused(Graphic)], &[]),
    case("14-square-with-interior-colour", &[Marked(&[])], &[]),
    case("15-box-value-and-state-disagree", &[Refused(FormField)], &[]),
    case("15-ticked-box-of-a-form", &[Said(&["☑", "☐"])], &[]),
    case("15-unticked-box-not-drawn", &[Said(&["☑", "☐"])], &[]),
    case("15-value-is-an-anagram", &[Refused(FormField)], &[]),
    case(
        "16-retyped-beside",
        &[Said(&["95.00 EUR"]), Marked(&["EUR each week"])],
        &["2905", "20.00"],
    ),
    case(
        "17-turned-text-loses-double-letters",
        &[Said(&["The fee is doubled."]), Marked(&["doubled", "Thefe"])],
        &["Thefe"],
    ),
    case("18-compare-footnote-1", &[Said(&["EUR 50"])], &[]),
    case("18-compare-footnote-2", &[Said(&["EUR 50¹"])], &["501"]),
    case("18-compare-struck-1", &[Said(&[])], &[]),
    case("18-compare-struck-2", &[Marked(&[])], &[]),
    case("18-compare-tick-1", &[Said(&["☐"]), Marked(&[])], &[]),
    case("18-compare-tick-2", &[Said(&["☒"]), Marked(&[])], &[]),
    case("19-compare-footer-moves-1", &[Said(&[])], &["page 1", "page 2"]),
    case("19-compare-footer-moves-2", &[Said(&[])], &["page 1", "page 2"]),
    case("20-bengali-libreoffice", &[Marked(&[])], &[]),
    case("20-thai-libreoffice", &[Marked(&[])], &[]),
    case("20-urdu-libreoffice", &[Marked(&[])], &[]),
    case("21-trailing-zeros", &[Said(&[])], &[]),
    case("23-accents-drawn-apart", &[Said(&["Gebühr", "beträgt", "René"])], &["¨", "´"]),
];

fn publish(file: &str) -> Result<Rendered, RenderError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/reading");
    let limits = Limits { fast_images: true, ..Limits::default() };
    render(&fs::read(folder.join(format!("{file}.pdf"))).unwrap(), &limits)
}

fn is_doubtful(rendered: &Rendered, page: u32) -> bool {
    rendered.doubts.iter().any(|doubt| doubt.page == page)
}

/// Returns the text that a reader on a phone sees as text.
fn said(rendered: &Rendered) -> String {
    let is_text = |kind| kind != BlockKind::Figure;
    let shown = rendered.blocks.iter().filter(|block| !is_doubtful(rendered, block.page));
    let texts = shown.filter(|block| is_text(block.kind)).map(|block| match &block.marker {
        Some(marker) if !block.text.starts_with(marker.as_str()) => {
            format!("{marker} {}", block.text)
        }
        _ => block.text.clone(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Returns why the result is wrong.
fn mistake(case: &Case) -> Option<String> {
    let rendered = match publish(case.file) {
        Ok(rendered) => rendered,
        Err(error) => return Some(format!("not published: {error}")),
    };
    let text = said(&rendered);
    let is_refused = |kind: FindingKind| {
        kind.concern() == Concern::Missing
            && rendered.findings.iter().any(|finding| finding.kind == kind)
    };
    if let Some(words) = case.never.iter().find(|words| text.contains(**words)) {
        return Some(format!("says {words:?}"));
    }
    let is_marked = !rendered.doubts.is_empty()
        || rendered.blocks.iter().any(|block| block.kind == BlockKind::Figure && block.marked);
    let is_right = case.right.iter().any(|right| match right {
        Said(texts) => !is_marked && texts.iter().all(|words| text.contains(words)),
        Marked(texts) => is_marked && !texts.iter().any(|words| text.contains(words)),
        Refused(kind) => is_refused(*kind),
    });
    (!is_right).then_some(text)
}

#[test]
fn no_document_is_read_as_something_else_than_its_page() {
    let (mut wrong, mut mistakes) = (Vec::new(), Vec::new());
    for case in CASES {
        if let Some(mistake) = mistake(case) {
            mistakes.push(format!("{}: {mistake}", case.file));
            wrong.push(case.file);
        }
    }
    assert_eq!(wrong, NOT_RIGHT, "{mistakes:#?}");
}

#[test]
fn every_file_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/reading");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pdf"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    assert_eq!(files, CASES.iter().map(|case| case.file).collect::<Vec<_>>());
}
