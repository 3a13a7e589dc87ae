//! Documents that must not be published without a reason: they cannot be rendered completely or
//! have active content. Each one shows a way in which a file that looks like terms can be something
//! else.

use std::path::Path;

/// Builds a PDF of these numbered objects. The first one is the catalogue.
pub fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (number, object) in (1..).zip(objects) {
        table.push_str(&format!("{:010} 00000 n \n", bytes.len()));
        bytes.extend(format!("{number} 0 obj\n").bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let (size, start) = (objects.len() + 1, bytes.len());
    bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n{table}").bytes());
    bytes
        .extend(format!("trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
    bytes
}

pub fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<<{entries}/Length {}>>stream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// Builds one page with the text "The terms". `root` and `page` are additional entries of these
/// objects, `more` are the objects from 6 on.
pub fn with(root: &str, page: &str, more: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{root}>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R\
             /Resources<</Font<</F 5 0 R>>>>{page}>>"
        )
        .into_bytes(),
        stream("", b"BT /F 12 Tf 20 160 Td (The terms) Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    objects.extend(more.iter().map(|object| object.as_bytes().to_vec()));
    file(&objects)
}

/// Builds three pages, of which the second has these contents.
fn one_of_three(contents: &str, object: &[u8]) -> Vec<u8> {
    let page = |contents: &str| {
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents {contents}\
             /Resources<</Font<</F 7 0 R>>>>>>"
        )
        .into_bytes()
    };
    file(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>".to_vec(),
        page("6 0 R"),
        page(contents),
        page("6 0 R"),
        stream("", b"BT /F 12 Tf 20 160 Td (The terms) Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        object.to_vec(),
    ])
}

/// Builds one page with these contents and resources. `more` are the objects from 5 on.
fn drawing(content: &str, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<<{resources}>>>>"
        )
        .into_bytes(),
        stream("", content.as_bytes()),
    ];
    objects.extend_from_slice(more);
    file(&objects)
}

/// Builds one text field. `field` contains its value and its appearance.
pub fn field(need_appearances: bool, field: &str, more: &[&str]) -> Vec<u8> {
    let form = format!("/AcroForm<</NeedAppearances {need_appearances}/Fields[6 0 R]>>");
    let widget = format!(
        "<</Type/Annot/Subtype/Widget/Rect[20 100 200 120]/P 3 0 R/T(fee)/DA(/Helv 10 Tf 0 g){field}>>"
    );
    with(&form, "/Annots[6 0 R]", &[&[widget.as_str()][..], more].concat())
}

pub fn annotation(entries: &str) -> Vec<u8> {
    let annotation = format!("<</Type/Annot/Rect[20 100 200 120]{entries}>>");
    with("", "/Annots[6 0 R]", &[&annotation])
}

/// Builds a script in a compressed object stream, as current programs write it.
fn in_object_stream() -> Vec<u8> {
    let hidden = "<</S/JavaScript/JS(app.alert\\(1\\))>>";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R/OpenAction 7 0 R>>".as_bytes().to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R\
          /Resources<</Font<</F 5 0 R>>>>>>"
            .to_vec(),
        stream("", b"BT /F 12 Tf 20 160 Td (The terms) Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        stream("/Type/ObjStm/N 1/First 4", format!("7 0 {hidden}").as_bytes()),
    ];
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut rows = vec![0, 0, 0, 0, 0, 0];
    let mut row = |kind: u8, place: usize, last: u8| {
        let place = u32::try_from(place).expect("small").to_be_bytes();
        rows.push(kind);
        rows.extend(place);
        rows.push(last);
    };
    for (number, object) in (1..).zip(&objects) {
        row(1, bytes.len(), 0);
        bytes.extend(format!("{number} 0 obj\n").bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    row(2, 6, 0);
    let start = bytes.len();
    row(1, start, 0);
    let table = stream("/Type/XRef/Size 9/W[1 4 1]/Root 1 0 R", &rows);
    bytes.extend([b"8 0 obj\n", &table[..], b"\nendobj\n"].concat());
    bytes.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    bytes
}

fn kept(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/documents");
    std::fs::read(folder.join(name)).expect("a document of the corpus")
}

pub struct Hostile {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// Kind of the finding; none if no page can be rendered.
    pub kind: Option<&'static str>,
    pub page: Option<u32>,
    /// The name in the finding.
    pub named: &'static str,
}

fn of(
    name: &'static str,
    kind: &'static str,
    page: Option<u32>,
    named: &'static str,
    bytes: Vec<u8>,
) -> Hostile {
    Hostile { name, bytes, kind: Some(kind), page, named }
}

/// Returns documents of which no page can be rendered.
pub fn undrawable() -> Vec<Hostile> {
    let english = kept("english.pdf");
    let none = |name, bytes| Hostile { name, bytes, kind: None, page: None, named: "" };
    vec![
        none("nine bytes", b"%PDF-1.4\n".to_vec()),
        none("a cut file", english[..english.len() / 2].to_vec()),
        none(
            "an empty page tree",
            file(&[
                b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
                b"<</Type/Pages/Kids[]/Count 0>>".to_vec(),
            ]),
        ),
        none("no pages at all", file(&[b"<</Type/Catalog>>".to_vec()])),
        none("encrypted", kept("encrypted.pdf")),
    ]
}

/// Returns documents that cannot be rendered completely.
#[expect(clippy::too_many_lines, reason = "a table of documents")]
pub fn incomplete() -> Vec<Hostile> {
    let garbled = [b"\x78\x9c".to_vec(), vec![0xff; 60]].concat();
    let broken = stream("/Filter/FlateDecode", &garbled);
    let picture = stream(
        "/Type/XObject/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8\
         /Filter/DCTDecode",
        b"no picture",
    );
    let identity = b"<</Type/Font/Subtype/Type0/BaseFont/Strange/Encoding/Identity-H\
                     /DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Strange\
                     /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>"
        .to_vec();
    let arabic = "/FT/Tx/V<FEFF0631>";
    let lost = "<</Type/Annot/Subtype/Widget/FT/Tx/T(fee)/V(9)/Rect[0 0 9 9]>>";
    let shows_fee_1 = "<</Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F 5 0 R>>>>\
                       /Length 33>>stream\nBT /F 9 Tf 2 5 Td (Fee 1) Tj ET  \nendstream";
    let page_1 = Some(1);
    vec![
        of("contents of one page missing", "content", Some(2), "", one_of_three("9 0 R", b"null")),
        of("contents of one page broken", "content", Some(2), "", one_of_three("8 0 R", &broken)),
        of(
            "contents of one page cut",
            "content",
            Some(2),
            "",
            one_of_three("8 0 R", &stream("", b"BT /F 12 Tf (The fee is")),
        ),
        of(
            "a page that is counted and not there",
            "pages",
            None,
            "",
            file(&[
                b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
                b"<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>".to_vec(),
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>".to_vec(),
            ]),
        ),
        of("a graphic that is not there", "graphic", page_1, "Fee", drawing("/Fee Do", "", &[])),
        of(
            "a picture that is none",
            "picture",
            page_1,
            "Fee",
            drawing("90 0 0 90 0 0 cm /Fee Do", "/XObject<</Fee 5 0 R>>", &[picture]),
        ),
        of(
            "a font without its letters",
            "font",
            page_1,
            "Strange",
            drawing("BT /F 9 Tf 9 9 Td <0001> Tj ET", "/Font<</F 5 0 R>>", &[identity]),
        ),
        of(
            "a value that has no letters here",
            "form_field",
            page_1,
            "fee",
            field(true, arabic, &[]),
        ),
        of(
            "a value that does not fit",
            "form_field",
            page_1,
            "fee",
            field(true, &format!("/FT/Tx/V({})", "a long value ".repeat(40)), &[]),
        ),
        of(
            "an appearance of another value",
            "form_field",
            page_1,
            "fee",
            field(false, "/FT/Tx/V(Fee 499)/AP<</N 7 0 R>>", &[shows_fee_1]),
        ),
        of(
            "a field on no page",
            "form_field",
            None,
            "fee",
            with("/AcroForm<</Fields[6 0 R]>>", "", &[lost]),
        ),
        of(
            "a note",
            "note",
            page_1,
            "The fee is 99 euros",
            annotation("/Subtype/Text/Contents(The fee is 99 euros)"),
        ),
        of("a stamp", "annotation", page_1, "Stamp", annotation("/Subtype/Stamp")),
        of(
            "an annotation behind a broken one",
            "annotation",
            page_1,
            "Stamp",
            with(
                "",
                "/Annots[9 0 R 6 0 R]",
                &[
                    "<</Type/Annot/Subtype/Stamp/Rect[20 100 200 120]/AP<</N 7 0 R>>>>",
                    "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 11>>stream\n0 0 9 9 re f\nendstream",
                ],
            ),
        ),
        of(
            "a form inside of the form",
            "xfa",
            None,
            "",
            with(
                "/AcroForm<</Fields[]/XFA 6 0 R>>",
                "",
                &["<</Length 7>>stream\n<xdp/>\n\nendstream"],
            ),
        ),
    ]
}

/// Returns documents with active content.
#[expect(clippy::too_many_lines, reason = "a table of documents")]
pub fn active() -> Vec<Hostile> {
    let script = "<</S/JavaScript/JS(app.alert\\(1\\))>>";
    let attached = "<</Type/Filespec/F(terms.exe)/UF(terms.exe)/EF<</F 7 0 R>>>>";
    let bytes = "<</Type/EmbeddedFile/Length 2>>stream\nMZ\nendstream";
    let link = |action: &str| annotation(&format!("/Subtype/Link/A<<{action}>>"));
    let page_1 = Some(1);
    vec![
        of(
            "a script at opening",
            "javascript",
            None,
            "OpenAction",
            with(&format!("/OpenAction{script}"), "", &[]),
        ),
        of(
            "a script by name",
            "javascript",
            None,
            "JavaScript",
            with(
                "/Names<</JavaScript<</Kids[6 0 R]>>>>",
                "",
                &["<</Limits[(a)(a)]/Names[(a) 7 0 R]>>", script],
            ),
        ),
        of(
            "a script of a page",
            "javascript",
            page_1,
            "AA/O",
            with("", &format!("/AA<</O{script}>>"), &[]),
        ),
        of(
            "a script of a field",
            "javascript",
            page_1,
            "AA/K",
            field(false, &format!("/FT/Tx/AA<</K{script}>>"), &[]),
        ),
        of(
            "a script at the end of a chain",
            "javascript",
            None,
            "Next",
            with(
                "/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[6 0 R]>>",
                "",
                &[
                    "<</S/Named/N/NextPage/Next 7 0 R>>",
                    "<</S/GoTo/D[3 0 R/Fit]/Next 8 0 R>>",
                    script,
                ],
            ),
        ),
        of("a script in an object stream", "javascript", None, "OpenAction", in_object_stream()),
        of(
            "a script with an escaped name",
            "javascript",
            None,
            "OpenAction",
            with("/OpenAction<</S/Java#53cript/J#53(app.alert\\(1\\))>>", "", &[]),
        ),
        of("a script that nothing names", "javascript", None, "unused", with("", "", &[script])),
        of(
            "a link that is a script",
            "javascript",
            page_1,
            "A",
            link("/S/URI/URI( JavaScript:alert\\(1\\))"),
        ),
        of("a program", "launch", page_1, "A", link("/S/Launch/F(calc.exe)")),
        of(
            "a link to a file of the reader's",
            "launch",
            page_1,
            "A",
            link("/S/URI/URI(file:///etc)"),
        ),
        of(
            "a button that sends",
            "submit_form",
            page_1,
            "A",
            annotation(
                "/Subtype/Widget/FT/Btn/Ff 65536/T(b)/A<</S/SubmitForm/F<</FS/URL/F(https://example.com)>>>>",
            ),
        ),
        of("an import", "import_data", page_1, "A", link("/S/ImportData/F(data.fdf)")),
        of("another file", "remote_file", page_1, "A", link("/S/GoToR/F(//host/share)/D[0/Fit]")),
        of(
            "an attached file",
            "embedded_file",
            None,
            "terms.exe",
            with("/Names<</EmbeddedFiles<</Names[(a) 6 0 R]>>>>", "", &[attached, bytes]),
        ),
        of(
            "an associated file",
            "embedded_file",
            None,
            "terms.exe",
            with("/AF[6 0 R]", "", &[attached, bytes]),
        ),
        of(
            "a file pinned to a page",
            "embedded_file",
            page_1,
            "terms.exe",
            with(
                "",
                "/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[9 9 20 20]/F 2/FS 6 0 R>>]",
                &[attached, bytes],
            ),
        ),
        of(
            "a film",
            "media",
            page_1,
            "Annots",
            annotation("/Subtype/Movie/F 2/Movie<</F(film.avi)>>"),
        ),
    ]
}

/// Returns documents that look unusual but are complete, so they have no findings.
pub fn harmless() -> Vec<(&'static str, Vec<u8>)> {
    let formatted = "<</Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F 5 0 R>>>>\
                     /Length 40>>stream\nBT /F 9 Tf 2 5 Td (EUR 1,499.00) Tj ET  \nendstream";
    let dots =
        "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 12>>stream\n0 0 9 9 re f\nendstream";
    vec![
        ("a link", annotation("/Subtype/Link/A<</S/URI/URI(https://example.com/terms)>>")),
        ("a jump", with("/OpenAction[3 0 R/Fit]", "", &[])),
        ("a value to be drawn", field(true, "/FT/Tx/V(99.50 \\200)", &[])),
        ("a formatted value", field(false, "/FT/Tx/V(1499)/AP<</N 7 0 R>>", &[formatted])),
        ("a field without a value", field(true, "/FT/Tx", &[])),
        (
            "a box without a tick",
            field(false, "/FT/Btn/V/Off/AS/Off/AP<</N<</Yes 7 0 R>>>>", &[dots]),
        ),
        ("a ticked box", field(true, "/FT/Btn/V/Yes/AS/Yes", &[])),
        ("a signature that shows nothing", field(false, "/FT/Sig/V<</Type/Sig>>", &[])),
        ("a choice", field(true, "/FT/Ch/V(a)/Opt[[(a)(Weekly pay)][(b)(Monthly)]]", &[])),
        ("a highlight", annotation("/Subtype/Highlight/QuadPoints[20 120 90 120 20 100 90 100]")),
        ("a comment that repeats", annotation("/Subtype/Underline/Contents(The  terms)")),
        (
            "words on the page",
            annotation("/Subtype/FreeText/Contents(A fee of 20)/DA(/H 9 Tf 0 g)"),
        ),
        ("a hidden note", annotation("/Subtype/Text/F 2/Contents(nobody sees it)")),
        ("a font that is called JS", drawing("", "/Font<</JS 5 0 R>>", &[b"<<>>".to_vec()])),
        ("an empty page", drawing("", "", &[])),
    ]
}
