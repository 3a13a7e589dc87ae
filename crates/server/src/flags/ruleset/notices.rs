//! Flags that wait until a notice was served: whether the condition is met is judged when a version
//! is saved and regularly after that, never while a flag is evaluated.

use std::collections::BTreeSet;

use musette_core::flags::{Diagnostic, Document, Flag, RequiresNotice};
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermKind};
use musette_store::{BreakGlass, Clearance, ReleasedFlag, Releases, Store, StoreError};

use super::Ruleset;
use super::reading::ParseOrder;
use super::saving::{self, Base, ChangeMetadata};
use crate::markets::scope;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const COMMENT: &str = "required notice served";

/// Returns the flags that require a notice, with their indexes.
fn required(document: &Document) -> impl Iterator<Item = (usize, &Flag, RequiresNotice)> {
    let flags = document.flags.iter().enumerate();
    flags.filter_map(|(index, flag)| Some((index, flag, flag.requires_notice?)))
}

fn term_id(notice: &RequiresNotice) -> i64 {
    i64::try_from(notice.term_id).unwrap_or(i64::MAX)
}

/// Returns the required share in millionths, rounded up.
fn served_ppm(notice: &RequiresNotice) -> i64 {
    // Without the subtraction, 0.9 would become 900,001.
    (notice.share_served.get() * 1_000_000.0 - 1e-6).ceil() as i64
}

/// Returns whether this release also covers the condition: it is the same one or a weaker one.
fn covers(release: &ReleasedFlag, flag: &str, notice: &RequiresNotice) -> bool {
    release.flag == flag
        && release.term_id == term_id(notice)
        && release.days >= i64::from(notice.days)
        && release.served_ppm >= served_ppm(notice)
}

/// Returns the keys of the flags that do not wait for the notice that they require.
pub fn released(document: &Document, releases: &[ReleasedFlag]) -> BTreeSet<String> {
    let is_released = |flag: &Flag, notice: &RequiresNotice| {
        releases.iter().any(|release| covers(release, &flag.key, notice))
    };
    let released = required(document).filter(|(_, flag, notice)| is_released(flag, notice));
    released.map(|(_, flag, _)| flag.key.clone()).collect()
}

/// Returns the keys of the flags that wait for the notice that they require.
pub fn waiting_keys(document: &Document, released: &BTreeSet<String>) -> BTreeSet<String> {
    let keys = required(document).filter(|(_, flag, _)| !flag.archived);
    keys.map(|(_, flag, _)| &flag.key).filter(|key| !released.contains(*key)).cloned().collect()
}

/// Returns an error for each flag whose notice does not exist or is no notice.
pub async fn errors(store: &Store, document: &Document) -> Result<Vec<Diagnostic>, StoreError> {
    if required(document).next().is_none() {
        return Ok(Vec::new());
    }
    let catalog = store.catalog().await?;
    let error = |(index, _, notice): (usize, &Flag, RequiresNotice)| {
        let id = notice.term_id;
        let (code, detail) = match catalog.get(term_id(&notice)) {
            None => ("unknown_term", format!("There is no published term with the ID {id}.")),
            Some(term) if term.term_kind != TermKind::Notice => {
                ("not_a_notice", format!("The term {id} is a consent, not a notice."))
            }
            Some(_) => return None,
        };
        let pointer = format!("/flags/{index}/requires_notice/term_id");
        Some(Diagnostic { pointer, code, detail })
    };
    Ok(required(document).filter_map(error).collect())
}

/// How far a notice has come.
struct Progress {
    title: String,
    /// How long the version has been in effect, or was until it ended. None: it never was.
    in_effect_ms: Option<i64>,
    effective_from: Instant,
    /// Whether it was cancelled, replaced or retired.
    has_ended: bool,
    share_served: f64,
}

impl Progress {
    async fn of(
        store: &Store,
        catalog: &Catalog,
        term: &Term,
        now: Instant,
    ) -> Result<Self, StoreError> {
        let replaced_at = catalog.first_replacement(term.id, now).map(|next| next.effective_from);
        let retired_at = catalog.retired_at(term.id).filter(|at| *at <= now);
        let ended_at = replaced_at.into_iter().chain(retired_at).min();
        let until = ended_at.unwrap_or(now).min(now);
        let in_effect_ms = catalog
            .is_effective(term, now)
            .then(|| until.millis().saturating_sub(term.effective_from.millis()));
        let counts = store.notice_counts(term.id, &scope(catalog, term, &[], now)).await?;
        Ok(Self {
            title: term.variants.first().map(|text| text.title.clone()).unwrap_or_default(),
            in_effect_ms,
            effective_from: term.effective_from,
            has_ended: ended_at.is_some() || catalog.cancelled_at(term.id).is_some(),
            share_served: counts.share_served(),
        })
    }

    fn meets(&self, notice: &RequiresNotice) -> bool {
        self.in_effect_ms.is_some_and(|ms| ms >= i64::from(notice.days) * DAY_MS)
            && self.share_served >= notice.share_served.get()
    }

    fn warning(&self, index: usize, notice: &RequiresNotice) -> Diagnostic {
        let RequiresNotice { term_id, days, share_served } = notice;
        let percent = |share: f64| (share * 1000.0).floor() / 10.0;
        let state = match (self.has_ended, self.in_effect_ms) {
            (true, _) => {
                "It is no longer in effect: name the version that is, or remove the requirement."
                    .to_owned()
            }
            (false, None) => format!("It takes effect on {}.", self.effective_from),
            (false, Some(ms)) => format!("It has been in effect for {} days.", ms / DAY_MS),
        };
        let detail = format!(
            "The flag serves its off variation until the notice {:?} (term {term_id}) has been in effect for {days} days and was served to {} % of the riders of its market. {state} It was served to {} % of them.",
            self.title,
            percent(share_served.get()),
            percent(self.share_served),
        );
        let pointer = format!("/flags/{index}/requires_notice");
        Diagnostic { pointer, code: "waits_for_notice", detail }
    }
}

/// A flag that no version has released yet.
struct Waiting<'d> {
    index: usize,
    flag: &'d Flag,
    notice: RequiresNotice,
    progress: Progress,
}

impl Waiting<'_> {
    fn is_met(&self) -> bool {
        self.progress.meets(&self.notice)
    }
}

/// Returns the flags of the document that no version up to this one has released.
async fn waiting<'d>(
    store: &Store,
    environment: &str,
    version: i64,
    document: &'d Document,
    now: Instant,
) -> Result<Vec<Waiting<'d>>, StoreError> {
    if required(document).next().is_none() {
        return Ok(Vec::new());
    }
    let released = released(document, &store.released_flags(environment, version).await?);
    let keys = waiting_keys(document, &released);
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let catalog = store.catalog().await?;
    let mut waiting = Vec::new();
    for (index, flag, notice) in required(document) {
        if !keys.contains(&flag.key) {
            continue;
        }
        // A merged document may name a term that another store had.
        let Some(term) = catalog.get(term_id(&notice)) else { continue };
        let progress = Progress::of(store, &catalog, term, now).await?;
        waiting.push(Waiting { index, flag, notice, progress });
    }
    Ok(waiting)
}

/// Returns a warning for each flag that would wait for its notice if this document was the version
/// after `version`.
pub async fn warnings(
    store: &Store,
    environment: &str,
    version: i64,
    document: &Document,
    now: Instant,
) -> Result<Vec<Diagnostic>, StoreError> {
    let waiting = waiting(store, environment, version, document, now).await?;
    let unmet = waiting.iter().filter(|flag| !flag.is_met());
    Ok(unmet.map(|flag| flag.progress.warning(flag.index, &flag.notice)).collect())
}

/// Returns the keys of the flags that would not wait if this document was saved now.
pub async fn released_if_saved(
    store: &Store,
    environment: &str,
    document: &Document,
    now: Instant,
) -> Result<BTreeSet<String>, StoreError> {
    let mut released = released(document, &store.released_flags(environment, i64::MAX).await?);
    let waiting = waiting(store, environment, i64::MAX, document, now).await?;
    released.extend(waiting.iter().filter(|flag| flag.is_met()).map(|flag| flag.flag.key.clone()));
    Ok(released)
}

/// The flags that a version releases from waiting.
#[derive(Default)]
pub struct NewReleases<'a> {
    flags: Vec<ReleasedFlag>,
    bypass: Option<&'a BreakGlass>,
    /// Keys of the flags whose condition is bypassed.
    bypassed: Vec<String>,
}

impl NewReleases<'_> {
    /// Returns the end of an audit entry that names the bypassed flags.
    pub fn audit_detail(&self) -> String {
        match &self.bypassed[..] {
            [] => String::new(),
            keys => format!("; bypasses the notices of {}", keys.join(", ")),
        }
    }

    pub fn as_releases(&self) -> Releases<'_> {
        Releases { flags: &self.flags, bypass: self.bypass }
    }
}

/// Returns the flags that the document releases as the version after `base`: those whose condition
/// is met and, with an admin's reason, those that this version changes. A version that changes no
/// flag releases all, because an admin has no other purpose in saving it. `only` limits the bypass
/// to one flag.
pub async fn releases<'a>(
    store: &Store,
    environment: &str,
    base: &Base,
    document: &Document,
    (clearance, only): (Clearance<'a>, Option<&str>),
    now: Instant,
) -> Result<NewReleases<'a>, StoreError> {
    let bypass = match clearance {
        Clearance::ByRules(bypass) => bypass,
        Clearance::Free => None,
    };
    let mut releases = NewReleases::default();
    let is_same = base.document.flags == document.flags;
    let is_meant = |flag: &Flag| match only {
        Some(key) => key == flag.key,
        None => is_same || !base.document.flags.contains(flag),
    };
    for waiting in waiting(store, environment, base.version, document, now).await? {
        if !waiting.is_met() {
            if bypass.is_none() || !is_meant(waiting.flag) {
                continue;
            }
            releases.bypass = bypass;
            releases.bypassed.push(waiting.flag.key.clone());
        }
        releases.flags.push(ReleasedFlag {
            flag: waiting.flag.key.clone(),
            term_id: term_id(&waiting.notice),
            days: i64::from(waiting.notice.days),
            served_ppm: served_ppm(&waiting.notice),
        });
    }
    Ok(releases)
}

impl Ruleset {
    /// Releases flags whose notice was served in the meantime. Each is released by a new version
    /// with the same document, so that clients fetch it; one node saves it.
    pub async fn judge_notices(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let mut is_changed = false;
        for environment in self.environments() {
            if environment.current.load().waiting.is_empty() {
                continue;
            }
            let name = environment.name.as_str();
            let Some(base) = saving::current(store, ParseOrder::AtOnce, name).await? else {
                continue;
            };
            let by = ChangeMetadata { comment: Some(COMMENT), ..ChangeMetadata::SCHEDULE };
            let document = &base.document;
            let free = (Clearance::Free, None);
            let releases = releases(store, name, &base, document, free, now).await?;
            if !releases.flags.is_empty() {
                saving::save_after(store, name, &base, document.clone(), by, now).await?;
                is_changed = true;
            }
        }
        if is_changed {
            self.refresh(store, now).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use musette_core::flags::Document;
    use musette_store::ReleasedFlag;

    use super::{released, served_ppm};

    fn document(notice: &str) -> Document {
        let text = format!(
            r#"{{"schema":"musette.flags/1","environment":"production","flags":[{{"key":"pay",
            "type":"boolean","variations":[{{"key":"off","value":false}}],
            "defaultVariation":"off","requires_notice":{notice}}}]}}"#
        );
        Document::parse(&text).expect("a document")
    }

    #[test]
    fn a_stronger_condition_waits_again_and_a_weaker_one_does_not() {
        let release =
            ReleasedFlag { flag: "pay".into(), term_id: 7, days: 15, served_ppm: 900_000 };
        for (notice, is_released) in [
            (r#"{"term_id":7}"#, true),
            (r#"{"term_id":7,"days":14,"share_served":0.899}"#, true),
            (r#"{"term_id":7,"days":16}"#, false),
            (r#"{"term_id":7,"share_served":0.900001}"#, false),
            (r#"{"term_id":8}"#, false),
        ] {
            let keys = released(&document(notice), std::slice::from_ref(&release));
            assert_eq!(keys.contains("pay"), is_released, "{notice}");
        }
    }

    #[test]
    fn shares_are_rounded_up_to_millionths() {
        for (share, ppm) in [("0", 0), ("0.9", 900_000), ("0.07", 70_000), ("1", 1_000_000)] {
            let document = document(&format!(r#"{{"term_id":7,"share_served":{share}}}"#));
            let notice = document.flags[0].requires_notice.expect("a notice");
            assert_eq!(served_ppm(&notice), ppm, "{share}");
        }
        let document = document(r#"{"term_id":7,"share_served":0.1234567}"#);
        let notice = document.flags[0].requires_notice.expect("a notice");
        assert_eq!(served_ppm(&notice), 123_457);
    }
}
