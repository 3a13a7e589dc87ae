//! The certificate of a receipt: a page for lawyers in the person's language, with the receipt
//! attached. It depends only on the receipt, on the titles of the accepted terms and on the first time
//! stamp that covers the entry. So the same receipt results in the same bytes, except that the first
//! time stamp changes them once.
//!
//! The receipt is not verified here, because it comes from the store.

mod content;
mod faces;
mod page;
mod sheet;
mod texts;
mod writing;

use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::metadata::{DateTime, Metadata, TextDirection};
use krilla::{Document, SerializeSettings};
use musette_core::log::receipt::Receipt;

pub use content::{Content, ExistedBefore, NotACertificate, in_utc};
pub use texts::{Texts, texts};

/// Creates the certificate as PDF/A-3u, whose text can be copied and which contains its fonts.
pub fn certificate(
    receipt: &Receipt,
    content: &Content,
    texts: &Texts,
) -> Result<Vec<u8>, NotACertificate> {
    let configuration =
        ConfigurationBuilder::new().with_archival_validator(Archival::A3_U).finish();
    let configuration = configuration.map_err(|error| NotACertificate(format!("{error:?}")))?;
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let made_at = date(&content.recorded_at);
    let direction = if texts.rtl { TextDirection::RightToLeft } else { TextDirection::LeftToRight };
    let metadata = Metadata::new()
        .title(format!("{} {}", texts.title, receipt.id))
        .language(texts.tag.to_owned())
        .creator("Musette".to_owned())
        .document_id(receipt.id.clone())
        .creation_date(made_at)
        .text_direction(direction);
    document.set_metadata(metadata);
    document.embed_file(EmbeddedFile {
        path: "receipt.json".into(),
        mime_type: MimeType::new("application/json"),
        description: Some(texts.title.to_owned()),
        association_kind: AssociationKind::Source,
        data: serde_json::to_vec_pretty(receipt)
            .map_err(|error| NotACertificate(error.to_string()))?
            .into(),
        modification_date: Some(made_at),
        compress: Some(true),
        location: None,
    });
    page::set(receipt, content, texts)?.draw(&mut document);
    document.finish().map_err(|error| NotACertificate(format!("{error:?}")))
}

/// Returns the time at which the entry was recorded. It is also the creation time of the
/// certificate, whose bytes therefore depend on nothing else.
fn date(recorded_at: &str) -> DateTime {
    let number = |from: usize, to: usize| {
        recorded_at.get(from..to).and_then(|digits| digits.parse::<u16>().ok()).unwrap_or_default()
    };
    let small = |from: usize, to: usize| u8::try_from(number(from, to)).unwrap_or_default();
    DateTime::new(number(0, 4))
        .month(small(5, 7))
        .day(small(8, 10))
        .hour(small(11, 13))
        .minute(small(14, 16))
        .second(small(17, 19))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

#[cfg(test)]
mod tests;
