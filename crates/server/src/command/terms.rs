mod ending;
mod recheck;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::terms::{
    NewTerm, PublicationError, Term, TermId, TermKind, TermType, Variant, is_label,
    is_language_tag, is_other_language,
};
use musette_render::Progress;
use musette_store::NewDocument;
use serde_json::{Value, json};

use super::consents::instant;
use super::event::CommandEvent;
use super::{Failure, market, open, output, public_url, wait_until_served};
use crate::settings::{StoreArgs, TestSettings};
use crate::terms::publishing;
use crate::terms::publishing::{ACTIVE, DocumentFinding, Obstacle, Reasons, UNREADABLE, obstacles};
use crate::terms::{NoticeDays, TermBody, notice_too_short};

#[derive(Debug, Subcommand)]
pub enum TermsCommand {
    /// Publish a version in all its languages
    Publish(Box<PublishArgs>),
    /// Cancel a scheduled version: it never takes effect
    Cancel(ending::CancelArgs),
    /// Retire a document: users are no longer asked for it, and its evidence remains
    Retire(ending::RetireArgs),
    /// List the documents whose text was checked by an earlier version; writes nothing
    Recheck(recheck::RecheckArgs),
}

#[derive(Debug, Args)]
pub struct PublishArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// The document in the default language: a PDF of at most 20 MiB and 300 pages
    file: PathBuf,
    /// Type of the terms, such as FREELANCER or MARKETING
    #[arg(long = "type", value_parser = term_type)]
    kind: TermType,
    /// consent, to which users agree, or notice, of which they are only informed
    #[arg(long = "kind", value_name = "KIND", default_value = "consent", value_parser = term_kind)]
    term_kind: TermKind,
    #[arg(long, value_parser = title)]
    title: String,
    /// Language of FILE
    #[arg(long, default_value = "en", value_parser = locale)]
    locale: String,
    /// Users must accept the version before they can continue
    #[arg(long)]
    mandatory: bool,
    /// Position in the list, lowest first
    #[arg(long, allow_negative_numbers = true)]
    order: Option<i64>,
    /// RFC 3339 time; by default now
    #[arg(long, value_parser = instant)]
    effective_from: Option<Instant>,
    /// RFC 3339 time until which the version does not block users
    #[arg(long, value_parser = instant)]
    grace_until: Option<Instant>,
    /// The version that this one replaces
    #[arg(long, value_name = "ID")]
    replaces: Option<TermId>,
    /// Market of the text, such as DE or DE-BE.berlin; by default everywhere
    #[arg(long, value_name = "CODE")]
    market: Option<String>,
    /// Any version of the broader text that this one replaces inside its market
    #[arg(long, value_name = "ID")]
    instead_of: Option<TermId>,
    /// The version only corrects a typo: earlier acceptances remain valid
    #[arg(long, requires = "replaces")]
    minor: bool,
    /// Version name in the document, such as 1.1
    #[arg(long, value_parser = label)]
    label: Option<String>,
    /// Summary of the changes
    #[arg(long, value_parser = title)]
    summary: Option<String>,
    /// Summary of the changes in another language; may be given several times
    #[arg(long, value_name = "LOCALE=TEXT")]
    summary_in: Vec<String>,
    /// A translation of the document; may be given several times
    #[arg(long, value_name = "LOCALE=FILE[:TITLE]")]
    variant: Vec<String>,
    /// Reason to publish although a page cannot be drawn completely; recorded in the audit
    #[arg(long, value_name = "REASON", value_parser = reason)]
    unreadable_ok: Option<String>,
    /// Reason to publish although the document contains active content; recorded in the audit
    #[arg(long, value_name = "REASON", value_parser = reason)]
    active_content_ok: Option<String>,
    /// Days of notice that texts of a type need before they take effect; a shorter one prints a warning
    #[arg(long, env = "MUSETTE_NOTICE_DAYS", value_name = "TYPE=DAYS,…", value_delimiter = ',', value_parser = NoticeDays::parse)]
    notice_days: Vec<NoticeDays>,
    /// Origin of the links in the output; by default that of the server of this store
    #[arg(long, env = "MUSETTE_PUBLIC_URL", hide = true)]
    public_url: Option<String>,
}

const TITLE_CHARS_MAX: usize = 200;
/// The number of obstacles that are printed; the others are only counted.
const OBSTACLES_MAX: usize = 20;

fn term_type(text: &str) -> Result<TermType, String> {
    TermType::parse(text).ok_or_else(|| "a type has the form [A-Z][A-Z0-9_]{0,31}".into())
}

fn term_kind(text: &str) -> Result<TermKind, String> {
    TermKind::parse(text).ok_or_else(|| "a kind is consent or notice".into())
}

fn title(text: &str) -> Result<String, String> {
    let is_good = (1..=TITLE_CHARS_MAX).contains(&text.chars().count())
        && !text.trim().is_empty()
        && !text.chars().any(char::is_control);
    is_good
        .then(|| text.to_owned())
        .ok_or_else(|| format!("it must have 1 to {TITLE_CHARS_MAX} characters and no line break"))
}

fn label(text: &str) -> Result<String, String> {
    is_label(text)
        .then(|| text.to_owned())
        .ok_or_else(|| "it must have 1 to 40 characters and no line break".into())
}

fn reason(text: &str) -> Result<String, String> {
    publishing::is_reason(text)
        .then(|| text.to_owned())
        .ok_or_else(|| "it must have 1 to 200 characters and no line break".into())
}

fn locale(text: &str) -> Result<String, String> {
    is_language_tag(text)
        .then(|| text.to_owned())
        .ok_or_else(|| "this is not a language tag, such as de or pt-BR".into())
}

struct Source {
    locale: String,
    file: PathBuf,
    title: String,
    summary: Option<String>,
}

fn sources(args: &PublishArgs) -> Result<Vec<Source>, Failure> {
    let usage = |text: &str, why: &str| Failure::Usage(format!("--variant {text}: {why}"));
    let mut sources = vec![Source {
        locale: args.locale.clone(),
        file: args.file.clone(),
        title: args.title.clone(),
        summary: None,
    }];
    for text in &args.variant {
        let (tag, rest) = text
            .split_once('=')
            .ok_or_else(|| usage(text, "it has the form LOCALE=FILE[:TITLE]"))?;
        let (file, variant_title) = rest.split_once(':').unwrap_or((rest, &args.title));
        let source = Source {
            locale: locale(tag).map_err(|why| usage(text, &why))?,
            file: file.into(),
            title: title(variant_title).map_err(|why| usage(text, &why))?,
            summary: None,
        };
        if sources.iter().any(|other| other.locale.eq_ignore_ascii_case(&source.locale)) {
            return Err(usage(text, "this language is given twice"));
        }
        sources.push(source);
    }
    for text in &args.summary_in {
        let usage = |why: &str| Failure::Usage(format!("--summary-in {text}: {why}"));
        let (tag, summary) =
            text.split_once('=').ok_or_else(|| usage("it has the form LOCALE=TEXT"))?;
        let source = sources.iter_mut().find(|source| source.locale.eq_ignore_ascii_case(tag));
        let source = source.ok_or_else(|| usage("the text is not published in this language"))?;
        source.summary = Some(title(summary).map_err(|why| usage(&why))?);
    }
    Ok(sources)
}

pub async fn run(command: TermsCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        TermsCommand::Publish(args) => publish(*args, test).await,
        TermsCommand::Cancel(args) => ending::cancel(args, test).await,
        TermsCommand::Retire(args) => ending::retire(args, test).await,
        TermsCommand::Recheck(args) => recheck::recheck(args).await,
    }
}

async fn publish(args: PublishArgs, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    let effective_from = args.effective_from.unwrap_or(now);
    if args.grace_until.is_some_and(|until| until <= effective_from) {
        return Err(Failure::Usage("--grace-until must be after --effective-from".into()));
    }
    if args.mandatory && args.term_kind == TermKind::Notice {
        return Err(Failure::Usage("--mandatory: a notice cannot be mandatory".into()));
    }
    let sources = sources(&args)?;
    let store = open(&args.store).await?;
    let market = market::resolve(&store, args.market.as_deref(), "invalid_market").await?;
    let given_reasons = Reasons {
        unreadable: args.unreadable_ok.clone(),
        active_content: args.active_content_ok.clone(),
    };
    let mut reasons = Reasons::default();
    let mut documents = Vec::new();
    let mut variants = Vec::new();
    for source in sources {
        let (document, language) = prepare(&source.file, &given_reasons, &mut reasons).await?;
        warn_of_language(&source, language.as_deref());
        variants.push(Variant {
            locale: source.locale,
            title: source.title,
            sha256: document.sha256.clone(),
            summary: source.summary,
        });
        documents.push(document);
    }
    warn_of_same_documents(&variants);
    if let Some(warning) = notice_too_short(&args.notice_days, &args.kind, effective_from, now) {
        note!("musette: warning: notice_too_short: {warning}");
    }
    let new = NewTerm {
        kind: args.kind,
        term_kind: args.term_kind,
        mandatory: args.mandatory,
        display_order: args.order,
        effective_from,
        grace_until: args.grace_until,
        replaces: args.replaces,
        material: !args.minor,
        summary: args.summary,
        label: args.label,
        market,
        instead_of: args.instead_of,
        variants,
        draft: None,
    };
    let published = store.publish_term(&new, &documents, now).await?;
    let term = published.map_err(|refusal| match refusal {
        PublicationError::Market(_) => Failure::Refused(format!("invalid_market: {refusal}")),
        _ => Failure::refused(refusal),
    })?;
    CommandEvent::new("term_published")
        .detail(reasons.of_term(term.id))
        .record(&store, now)
        .await?;
    wait_until_served(&store, test).await?;
    let url = public_url(&store, args.public_url.as_deref()).await?;
    if url.is_none() {
        note!(
            "musette: no server has run on this store, so links have no host: set it with --public-url"
        );
    }
    out!("{}", term_json(&term, url.as_deref().unwrap_or_default())?);
    Ok(())
}

/// Prints a warning if two languages have the same file, which is usually a mistake.
fn warn_of_same_documents(variants: &[Variant]) {
    for (i, variant) in variants.iter().enumerate() {
        if let Some(same) = variants[..i].iter().find(|other| other.sha256 == variant.sha256) {
            let (one, other) = (&same.locale, &variant.locale);
            note!("musette: warning: {one} and {other} have the same document, byte for byte");
        }
    }
}

/// Prints a warning if the text of a document is in another language than its option says.
fn warn_of_language(source: &Source, detected: Option<&str>) {
    let Source { locale, file, .. } = source;
    if let Some(detected) = detected.filter(|detected| is_other_language(locale, detected)) {
        let file = file.display();
        note!("musette: warning: {file}: the text seems to be in {detected}, not in {locale}");
    }
}

/// Prepares the document of a file, with the language of its text, or returns its obstacles for which no reason is given. Adds the
/// reasons that were needed to `used`.
async fn prepare(
    file: &Path,
    given: &Reasons,
    used: &mut Reasons,
) -> Result<(NewDocument, Option<String>), Failure> {
    let named = |what: String| Failure::Refused(format!("{}: {what}", file.display()));
    let bytes = read(file)?;
    // Progress is shown on a terminal, never in a pipe.
    let shows = std::io::stderr().is_terminal();
    let report = |Progress { page, pages }| {
        if shows {
            output::note(format_args!("\r{}: rendering page {page} of {pages} ", file.display()));
        }
    };
    let prepared = publishing::prepare(bytes, &report, None).await;
    if shows {
        note!("");
    }
    let prepared = prepared.map_err(|error| named(format!("{UNREADABLE}: {error}")))?;
    let undrawn = prepared.undrawn.as_ref().map(ToString::to_string);
    let findings: Vec<_> = prepared.findings.iter().map(DocumentFinding::from).collect();
    let all = obstacles(undrawn.as_deref(), &findings, &Reasons::default());
    let refused = obstacles(undrawn.as_deref(), &findings, given);
    if let Some(first) = refused.first() {
        let option = if first.code == UNREADABLE { "unreadable" } else { "active-content" };
        return Err(named(format!(
            "{} (to publish it nevertheless, give a reason with --{option}-ok)",
            describe_obstacles(&refused)
        )));
    }
    for (code, given, used) in [
        (UNREADABLE, &given.unreadable, &mut used.unreadable),
        (ACTIVE, &given.active_content, &mut used.active_content),
    ] {
        if all.iter().any(|obstacle| obstacle.code == code) {
            used.clone_from(given);
        }
    }
    for finding in &findings {
        tracing::warn!(
            file = %file.display(),
            finding = %finding.detail,
            "a finding does not prevent publication, but may affect what readers see: check the PDF"
        );
    }
    Ok((prepared.document, prepared.language))
}

/// Returns one line with the code and the first obstacles.
fn describe_obstacles(refused: &[Obstacle]) -> String {
    let code = refused.first().map_or(UNREADABLE, |obstacle| obstacle.code);
    let shown: Vec<String> = refused.iter().take(OBSTACLES_MAX).map(ToString::to_string).collect();
    let more = refused.len().saturating_sub(OBSTACLES_MAX);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    format!("{code}: {}{more}", shown.join(" "))
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let named = |error: std::io::Error| Failure::Refused(format!("{}: {error}", file.display()));
    let size = std::fs::metadata(file).map_err(named)?.len();
    if size > publishing::DOCUMENT_BYTES_MAX {
        return Err(Failure::Refused(format!(
            "{}: a document may have at most {} bytes",
            file.display(),
            publishing::DOCUMENT_BYTES_MAX
        )));
    }
    std::fs::read(file).map_err(named)
}

/// Returns the term as the API does in its default language, together with all its languages.
fn term_json(term: &Term, origin: &str) -> Result<Value, Failure> {
    let body = TermBody::new(term, &[], origin);
    let mut value = serde_json::to_value(&body).map_err(Failure::refused)?;
    let variants = term.variants.iter().map(|variant| {
        json!({
            "locale": variant.locale, "title": variant.title, "sha256": variant.sha256,
            "content": format!("{origin}/documents/{}.pdf", variant.sha256)
        })
    });
    value["variants"] = variants.collect();
    Ok(value)
}
