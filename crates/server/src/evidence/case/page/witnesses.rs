//! The place where the reader chooses a policy of witnesses.

use super::html::escaped;
use super::{CaseTexts, put};

/// Adds the file chooser and the place of its result.
pub(super) fn put_chooser(out: &mut String, texts: &CaseTexts) {
    put(
        out,
        format_args!(
            "<h3>{}</h3>\n<div id=\"witnesses\" role=\"status\" data-state=\"unchecked\"><p>{}</p></div>\n\
             <p class=\"choose\"><label>{} <input type=\"file\" id=\"policy\"></label></p>\n",
            escaped(texts.witnesses),
            escaped(texts.witnesses_unchecked),
            escaped(texts.choose_policy)
        ),
    );
}
