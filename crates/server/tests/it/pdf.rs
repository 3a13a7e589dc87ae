//! The smallest PDF with a given text.

/// Builds one page with one line of text, in ASCII without parentheses.
pub fn page(text: &str) -> Vec<u8> {
    page_of(text, 0)
}

/// Builds a page with this many bytes of padding.
pub fn page_of(text: &str, more_bytes: usize) -> Vec<u8> {
    let content = format!("BT /F 8 Tf 4 20 Td ({text}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 120 40]/Contents 4 0 R\
         /Resources<</Font<</F 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
        format!("<</Length {more_bytes}>>stream\n{}\nendstream", "x".repeat(more_bytes)),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut table = String::new();
    for (i, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", i + 1));
    }
    let (size, start) = (objects.len() + 1, file.len());
    file.push_str(&format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}\
         trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    ));
    file.into_bytes()
}
