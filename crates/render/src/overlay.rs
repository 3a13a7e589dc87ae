//! Creates a PDF of one page with the commands to draw over a page, so that the same interpreter
//! draws both.

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::page::Page as PdfPage;

use super::RenderError;

/// Creates the overlay for a page, with the same size and origin.
pub(super) fn over(page: &PdfPage<'_>, commands: &[u8]) -> Result<Pdf, RenderError> {
    let area = page.intersected_crop_box();
    let size = format!("{} {} {} {}", area.x0, area.y0, area.x1, area.y1);
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[{size}]/Contents 4 0 R/Resources\
             <</Font<</Helvetica 5 0 R>>/ExtGState<</Multiply<</BM/Multiply>>>>>>>>"
        )
        .into_bytes(),
        [format!("<</Length {}>>stream\n", commands.len()).as_bytes(), commands, b"\nendstream"]
            .concat(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ];
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (number, object) in (1..).zip(&objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (count, start) = (objects.len() + 1, file.len());
    let head = format!("xref\n0 {count}\n0000000000 65535 f \n{table}");
    let tail = format!("trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.extend(head.bytes().chain(tail.bytes()));
    Pdf::new(file).map_err(|_| RenderError::unreadable("its form cannot be drawn"))
}
