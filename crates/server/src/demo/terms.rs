//! Renders and publishes the documents of the demo, like any others.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{NewTerm, TermId, TermKind, TermType, Variant};
use musette_store::{NewDocument, Store};

use super::{Demo, DemoError, DemoTerm, file, wrong};
use crate::terms::publishing;

/// The number of concurrent renderings; each has its own process.
const RENDERED_AT_ONCE: usize = 2;

/// Publishes a term of the demo at `at`. `now` is the time of the first start.
pub async fn publish(
    store: &Store,
    term: &DemoTerm,
    documents: &HashMap<String, NewDocument>,
    published: &HashMap<&str, TermId>,
    at: Instant,
    now: Instant,
) -> Result<TermId, DemoError> {
    let mut new = new_term(term, documents, published, now)?;
    // Only a document that was not published yet can take effect later.
    new.effective_from = new.effective_from.max(at);
    let files = term.variants.iter().filter_map(|variant| documents.get(&variant.file));
    let files: Vec<NewDocument> = files.cloned().collect();
    let published_term = store.publish_term(&new, &files, at).await?;
    Ok(published_term.map_err(|refusal| wrong("demo.json", refusal))?.id)
}

/// Renders all documents of the demo.
pub async fn render(demo: &Demo) -> Result<HashMap<String, NewDocument>, DemoError> {
    let mut names: Vec<&String> =
        demo.terms.iter().flat_map(|term| &term.variants).map(|variant| &variant.file).collect();
    names.sort();
    names.dedup();
    stream::iter(names)
        .map(|name| async move {
            let prepared = publishing::prepare(file(name)?, &|_| (), None).await;
            let document = prepared.map(|prepared| prepared.document);
            Ok((name.clone(), document.map_err(|error| wrong(name, error))?))
        })
        .buffer_unordered(RENDERED_AT_ONCE)
        .try_collect()
        .await
}

fn new_term(
    term: &DemoTerm,
    documents: &HashMap<String, NewDocument>,
    published: &HashMap<&str, TermId>,
    now: Instant,
) -> Result<NewTerm, DemoError> {
    let bad = |why: &str| wrong("demo.json", format!("{}: {why}", term.slug));
    let effective_from = match (&term.effective_from, term.effective_from_days) {
        (Some(text), _) => Instant::parse(text).map_err(|_| bad("effective_from"))?,
        (None, Some(days)) => now.plus(Duration::from_secs(days * 24 * 60 * 60)),
        (None, None) => now,
    };
    let replaces = match &term.replaces {
        None => None,
        Some(slug) => Some(*published.get(slug.as_str()).ok_or_else(|| bad("replaces"))?),
    };
    let market = match &term.market {
        None => None,
        Some(code) => Some(Market::parse(code).ok_or_else(|| bad("market"))?),
    };
    let variants = term.variants.iter().map(|variant| {
        let document = documents.get(&variant.file).ok_or_else(|| bad(&variant.file))?;
        Ok(Variant {
            locale: variant.locale.clone(),
            title: variant.title.clone(),
            sha256: document.sha256.clone(),
            summary: variant.summary.clone(),
        })
    });
    Ok(NewTerm {
        kind: TermType::parse(&term.kind).ok_or_else(|| bad("type"))?,
        term_kind: if term.notice { TermKind::Notice } else { TermKind::Consent },
        mandatory: term.mandatory,
        display_order: Some(term.display_order),
        effective_from,
        grace_until: None,
        replaces,
        material: term.material,
        summary: term.summary.clone(),
        label: term.version.clone(),
        market,
        instead_of: None,
        variants: variants.collect::<Result<_, DemoError>>()?,
        draft: None,
    })
}
