//! Writes the text of a message for a person.

use musette_core::campaigns::{Channel, Values, fill, text_sha256};
use musette_core::terms::{Term, TermId, choose_locale};
use musette_store::{Audience, ComposedText, Recipient};

use super::{dates, hours};
use crate::markets::Markets;

/// What the texts of a campaign are made of.
pub struct Composer<'a> {
    pub audience: &'a Audience<'a>,
    pub markets: &'a Markets,
    /// The address of this server, without a slash at the end.
    pub base: &'a str,
    /// The name of the company.
    pub company: Option<&'a str>,
}

/// Returns the page of the rider app that shows a term.
pub fn link(base: &str, is_notice: bool) -> String {
    format!("{base}/{}", if is_notice { "notices" } else { "terms" })
}

/// Returns the page of the rider app that opens a notice. A consent is read on the page of all terms,
/// where it is decided.
pub fn document_link(base: &str, term: TermId, is_notice: bool) -> String {
    let page = link(base, is_notice);
    if is_notice { format!("{page}#{term}") } else { page }
}

impl Composer<'_> {
    /// Returns the day until which a person should decide, written in the language of the text.
    fn deadline(&self, term: &Term, recipient: &Recipient, locale: &str) -> String {
        let zone = hours::zone_of(self.markets, recipient.market.as_deref());
        let at = term.grace_until.unwrap_or(term.effective_from);
        dates::written(hours::day(&zone, at), locale)
    }

    /// Returns the text of a step for a person. None if the campaign has no text for them, or no
    /// such step.
    pub fn text(&self, recipient: &Recipient, step: i64) -> Option<ComposedText> {
        let Audience { definition, term, .. } = self.audience;
        let channel = definition.steps.get(usize::try_from(step).ok()?)?.channel;
        let locale = definition.locale_for(recipient.locale.as_deref(), term)?;
        let text = definition.texts.get(locale)?;
        let link = link(self.base, term.is_notice());
        let deadline = self.deadline(term, recipient, locale);
        let values = Values {
            name: recipient.name.as_deref().unwrap_or_default(),
            title: choose_locale(&[locale], &term.variants).map_or("", |variant| &variant.title),
            link: &link,
            deadline: &deadline,
        };
        let (subject, body) = match (channel, self.company) {
            // The locked screen shows it, so it has nothing about the person.
            (Channel::Push, Some(company)) => (company.to_owned(), values.title.to_owned()),
            (Channel::Push, None) => (values.title.to_owned(), String::new()),
            _ => (fill(&text.subject, values), fill(&text.body, values)),
        };
        let sha256 = text_sha256(channel, &subject, &body);
        Some(ComposedText { locale: locale.to_owned(), subject, body, sha256 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_to_the_notice_itself_and_to_the_page_of_terms() {
        let (base, term) = ("https://terms.example", 12);
        assert_eq!(document_link(base, term, true), "https://terms.example/notices#12");
        assert_eq!(document_link(base, term, false), "https://terms.example/terms");
    }
}
