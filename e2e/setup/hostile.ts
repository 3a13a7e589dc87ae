import { assemble, stream } from "./pdf";

/**
 * Documents that must not be published without a reason. The server's own tests have more of each
 * kind.
 */
export interface Hostile {
  readonly kind: string;
  /** The finding as it is displayed: the page, the problem, and the name in the document. */
  readonly says: string;
  readonly bytes: Buffer;
}

/**
 * Returns a PDF with one page that says "The terms". `root` and `page` are additional entries of
 * those objects, `more` the objects from 6 on.
 */
function withEntries(root: string, page: string, more: readonly string[] = []): Buffer {
  return assemble([
    `<< /Type /Catalog /Pages 2 0 R ${root} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> ${page} >>`,
    stream("BT /F 12 Tf 20 160 Td (The terms) Tj ET"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more,
  ]);
}

function drawing(content: string, resources = "", more: readonly string[] = []): Buffer {
  return assemble([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream(content),
    ...more,
  ]);
}

const annotated = (entries: string, more: readonly string[] = []) =>
  withEntries("", "/Annots [6 0 R]", [
    `<< /Type /Annot /Rect [20 100 200 120] ${entries} >>`,
    ...more,
  ]);

const noPicture = stream(
  "no picture",
  "/Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode",
);
const strange =
  "<< /Type /Font /Subtype /Type0 /BaseFont /Strange /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Strange /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>";
const link = (action: string) => annotated(`/Subtype /Link /A << ${action} >>`);
const program = ["<< /Type /Filespec /F (terms.exe) /UF (terms.exe) /EF << /F 7 0 R >> >>"];

/** Riders would not see everything in these documents. */
export const INCOMPLETE: readonly Hostile[] = [
  {
    kind: "pages",
    says: "pages that are missing",
    bytes: assemble([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
    ]),
  },
  {
    kind: "content",
    says: "Page 1: content that cannot be read to its end",
    bytes: drawing("BT /F 12 Tf (The fee is"),
  },
  {
    kind: "picture",
    says: "Page 1: a picture that cannot be drawn Fee",
    bytes: drawing("90 0 0 90 0 0 cm /Fee Do", "/XObject << /Fee 5 0 R >>", [noPicture]),
  },
  {
    kind: "graphic",
    says: "Page 1: a graphic that cannot be drawn Fee",
    bytes: drawing("/Fee Do"),
  },
  {
    kind: "font",
    says: "Page 1: a font that cannot be drawn Strange",
    bytes: drawing("BT /F 9 Tf 9 9 Td <0001> Tj ET", "/Font << /F 5 0 R >>", [strange]),
  },
  {
    kind: "form_field",
    says: "Page 1: value of a form field not shown fee",
    bytes: withEntries("/AcroForm << /NeedAppearances true /Fields [6 0 R] >>", "/Annots [6 0 R]", [
      "<< /Type /Annot /Subtype /Widget /Rect [20 100 200 120] /P 3 0 R /T (fee) /DA (/Helv 10 Tf 0 g) /FT /Tx /V <FEFF0631> >>",
    ]),
  },
  {
    kind: "annotation",
    says: "Page 1: an annotation that cannot be drawn Stamp",
    bytes: annotated("/Subtype /Stamp"),
  },
  {
    kind: "note",
    says: "Page 1: text of a note not shown The fee is 99 euros",
    bytes: annotated("/Subtype /Text /Contents (The fee is 99 euros)"),
  },
  {
    kind: "xfa",
    says: "XFA form not shown",
    bytes: withEntries("/AcroForm << /Fields [] /XFA 6 0 R >>", "", [stream("<xdp/>\n")]),
  },
];

/** These documents act by themselves. */
export const ACTIVE: readonly Hostile[] = [
  {
    kind: "javascript",
    says: "a script (JavaScript) OpenAction",
    bytes: withEntries("/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>", ""),
  },
  {
    kind: "launch",
    says: "Page 1: an action that starts a program or opens a file A",
    bytes: link("/S /Launch /F (calc.exe)"),
  },
  {
    kind: "submit_form",
    says: "Page 1: an action that sends the form A",
    bytes: annotated(
      "/Subtype /Widget /FT /Btn /Ff 65536 /T (b) /A << /S /SubmitForm /F << /FS /URL /F (https://example.com) >> >>",
    ),
  },
  {
    kind: "import_data",
    says: "Page 1: an action that imports data A",
    bytes: link("/S /ImportData /F (data.fdf)"),
  },
  {
    kind: "remote_file",
    says: "Page 1: an action that opens another file A",
    bytes: link("/S /GoToR /F (//host/share) /D [0 /Fit]"),
  },
  {
    kind: "embedded_file",
    says: "an embedded file terms.exe",
    bytes: withEntries("/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>", "", [
      ...program,
      stream("MZ", "/Type /EmbeddedFile"),
    ]),
  },
  {
    kind: "media",
    says: "Page 1: audio, video or 3D content Annots",
    bytes: annotated("/Subtype /Movie /F 2 /Movie << /F (film.avi) >>"),
  },
];

/** A note that riders would not see, and a script. Each of them alone would be refused as well. */
export const BOTH = withEntries(
  "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>",
  "/Annots [6 0 R]",
  ["<< /Type /Annot /Rect [20 100 200 120] /Subtype /Text /Contents (The fee is 99 euros) >>"],
);

/** No page of it can be rendered. */
export const UNDRAWABLE = Buffer.from("%PDF-1.4\n");
