//! The fictional couriers of the demo, and their decisions week after week.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::{Role, SignInMethod};
use musette_core::terms::{
    Catalog, DeviceClock, Method, StoredLocale, SubmittedDecision, Term, new_entry_id,
};
use musette_store::{
    NewUser, OpenedTerm, ShownTerm, Store, StoreError, Submission, SubmissionOutcome, Submitter,
    User,
};

use super::plan::{DAY, DAYS, DemoPlan, Names, before, chance, days_before};
use super::{DemoError, DemoMarket, wrong};
use crate::node::app::App;
use crate::platform::random;

const COURIERS: u64 = 84;
/// Couriers who were added before the history and are asked to accept the terms on its first day;
/// the others join later.
const FIRST_COURIERS: u64 = 40;
const APPLICANTS: u64 = 14;
/// The courier who is erased.
const ERASED_COURIER: u64 = 22;
const MINUTE: Duration = Duration::from_secs(60);
/// The languages of the demo's documents.
const LANGUAGES: [&str; 3] = ["en", "de", "ar"];

/// A courier, with the time when they were added.
pub struct DemoPerson {
    pub user: User,
    pub joined: Instant,
    number: u64,
    market: Option<Market>,
}

/// Adds a person of the demo.
pub async fn add(
    store: &Store,
    id: &str,
    name: &str,
    role: Role,
    market: Option<Market>,
    at: Instant,
) -> Result<User, StoreError> {
    let new = NewUser {
        id: id.to_owned(),
        roles: vec![role.into()],
        name: Some(name.to_owned()),
        email: None,
        phone: None,
        market,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    store.add_user(&new, at).await
}

fn name(names: &Names, number: u64) -> String {
    let pick = |from: &[String], number: u64| {
        let index = usize::try_from(number).unwrap_or(0) % from.len().max(1);
        from.get(index).cloned().unwrap_or_default()
    };
    format!("{} {}", pick(&names.first, number), pick(&names.last, number))
}

/// Returns the market of a courier or applicant: for most the last one, for a few none.
fn works_in(number: u64, markets: &[DemoMarket]) -> Option<Market> {
    let place = usize::try_from(number % 7).unwrap_or(0);
    let market = markets.get(place.min(markets.len().saturating_sub(1)))?;
    Market::parse(&market.code).filter(|_| place < 6)
}

fn joined(number: u64, now: Instant) -> Instant {
    if number < FIRST_COURIERS {
        return days_before(now, DAYS - 1);
    }
    let days = (number - FIRST_COURIERS) * (DAYS - 4) / (COURIERS - FIRST_COURIERS);
    let minutes = u32::try_from(chance(number, 9 * 60)).unwrap_or(0);
    days_before(now, DAYS - 2 - days).plus(MINUTE * minutes)
}

/// Adds the couriers in the order in which they join.
pub async fn add_couriers(
    store: &Store,
    plan: &DemoPlan,
    markets: &[DemoMarket],
    now: Instant,
) -> Result<Vec<DemoPerson>, StoreError> {
    let mut couriers = Vec::new();
    for number in 0..COURIERS {
        let joined = joined(number, now);
        let id = format!("demo-courier-{:02}", number + 1);
        let name = name(&plan.names, number);
        let market = works_in(number, markets);
        let user = add(store, &id, &name, Role::Rider, market.clone(), joined).await?;
        couriers.push(DemoPerson { user, joined, number, market });
    }
    Ok(couriers)
}

#[derive(Clone, Copy)]
enum Act {
    /// Accepts all mandatory terms, and accepts, refuses or ignores the optional ones.
    Decide { optional: Option<bool> },
    /// Views the terms without deciding.
    Look,
    /// Withdraws the consent to the optional terms.
    Withdraw,
}

/// A planned submission.
pub struct PlannedSubmission {
    pub at: Instant,
    /// None for an applicant.
    subject: Option<String>,
    number: u64,
    market: Option<Market>,
    act: Act,
}

/// Returns all decisions of couriers and applicants up to `now`, in chronological order.
pub fn plays(
    couriers: &[DemoPerson],
    markets: &[DemoMarket],
    now: Instant,
) -> Vec<PlannedSubmission> {
    let mut plays = Vec::new();
    for DemoPerson { user, joined, number, market } in couriers {
        let number = *number;
        let hours = if number % 4 == 3 { 20 + chance(number, 130) } else { chance(number, 16) };
        let minutes = u32::try_from(hours * 60 + 4 + chance(number + 7, 50)).unwrap_or(4);
        let at = joined.plus(MINUTE * minutes);
        let optional = [Some(true), Some(true), Some(true), Some(false), None];
        let optional = optional[usize::try_from(number % 5).unwrap_or(0)];
        let play = |at, act| {
            let subject = Some(user.subject.clone());
            PlannedSubmission { at, subject, number, market: market.clone(), act }
        };
        // A few have not decided yet.
        if number % 14 == 9 {
            plays.push(play(at, Act::Look));
            continue;
        }
        plays.push(play(at, Act::Decide { optional }));
        if optional == Some(true) && number % 7 == 2 {
            plays.push(play(at.plus(DAY * 9), Act::Withdraw));
        }
    }
    for number in 0..APPLICANTS {
        let at = days_before(now, DAYS - 5 - number * 3).plus(MINUTE * 37);
        let market = works_in(number, markets);
        let act = Act::Decide { optional: None };
        plays.push(PlannedSubmission { at, subject: None, number, market, act });
    }
    plays.retain(|play| play.at < before(now, MINUTE));
    plays.sort_by_key(|play| play.at);
    plays
}

impl DemoPerson {
    /// Returns whether the courier was added before the history.
    pub fn is_first(&self) -> bool {
        self.number < FIRST_COURIERS
    }

    /// Returns whether the courier is erased during the history.
    pub fn is_erased(&self) -> bool {
        self.number == ERASED_COURIER
    }

    pub fn market_code(&self) -> Option<String> {
        self.market.as_ref().map(ToString::to_string)
    }
}

impl PlannedSubmission {
    fn decision(&self, term: &Term, language: usize) -> Option<SubmittedDecision> {
        let accepted = match self.act {
            Act::Decide { .. } if term.mandatory => true,
            Act::Decide { optional } => optional?,
            Act::Look => return None,
            Act::Withdraw if term.mandatory => return None,
            Act::Withdraw => false,
        };
        let variant = term.variants.get(language).or_else(|| term.variants.first())?;
        // The device sends the decision some seconds after the last tick.
        let consented_at = before(self.at, Duration::from_secs(3 + chance(self.number, 9)));
        Some(SubmittedDecision {
            term: term.id,
            accepted,
            consented_at,
            consented_at_text: consented_at.to_string(),
            sha256: Some(variant.sha256.clone()),
            method: Some(if self.number.is_multiple_of(3) {
                Method::AgreeAll
            } else {
                Method::Tick
            }),
            opened: Some(self.opens()),
            last_page: None,
        })
    }

    fn opens(&self) -> bool {
        self.number % 4 != 1
    }

    /// Returns the terms that the person is asked to accept.
    fn terms<'a>(&'a self, catalog: &'a Catalog) -> impl Iterator<Item = &'a Term> {
        let market = self.market.as_ref();
        let in_effect = catalog.all().iter().filter(|term| catalog.is_in_effect(term, self.at));
        in_effect.filter(move |term| !term.is_notice() && catalog.is_asked(term, market, self.at))
    }

    /// Returns the terms that were shown before the decision.
    fn shown_terms(&self, catalog: &Catalog) -> Vec<ShownTerm> {
        let Some(subject) = self.subject.as_ref().filter(|_| !matches!(self.act, Act::Withdraw))
        else {
            return Vec::new();
        };
        let at = before(self.at, MINUTE * 3).millis();
        let shown = self.terms(catalog).map(|term| ShownTerm {
            subject: subject.clone(),
            term: term.id,
            lineage: catalog.lineage(term).map(|term| term.id).collect(),
            at,
        });
        shown.collect()
    }

    fn submission(&self, app: &App, catalog: &Arc<Catalog>) -> Submission {
        let language = usize::try_from(chance(self.number + 1, 5)).unwrap_or(0).saturating_sub(2);
        let submitter = match &self.subject {
            Some(subject) => Submitter::Rider { subject: subject.clone() },
            None => Submitter::Applicant {
                subject: random::uuid(),
                key: random::hex::<32>(),
                continues: None,
            },
        };
        let tag = LANGUAGES[language];
        Submission {
            entry_id: new_entry_id(random::uuid_of(self.at)),
            submitter,
            entries: self.terms(catalog).filter_map(|term| self.decision(term, language)).collect(),
            ranges: vec![tag.to_owned()],
            locale: Some(StoredLocale::of(tag)),
            app: Some(format!("rider 5.{}.0", 1 + self.number % 3)),
            market: self.market.clone().filter(|_| self.subject.is_none()),
            signed_in_by: self.subject.is_some().then_some(SignInMethod::Demo),
            device_clock: DeviceClock::default(),
            idempotency: None,
            catalog: Arc::clone(catalog),
            receipts: app.receipt_key.clone(),
            now: self.at,
            span: tracing::Span::none(),
        }
    }
}

/// Records which terms were shown, and which documents were opened.
async fn view(
    store: &Store,
    catalog: &Catalog,
    plays: &[PlannedSubmission],
) -> Result<(), StoreError> {
    let (mut shown, mut opened) = (Vec::new(), Vec::new());
    for play in plays {
        let terms = play.shown_terms(catalog);
        if play.opens() {
            opened.extend(terms.iter().map(|shown| OpenedTerm {
                subject: shown.subject.clone(),
                term: shown.term,
                at: shown.at + 40_000,
            }));
        }
        shown.extend(terms);
    }
    store.record_shown(&shown).await?;
    store.record_opened(&opened).await
}

/// Records the views and decisions of these people in their order.
pub async fn submit(
    app: &App,
    catalog: &Arc<Catalog>,
    plays: &[PlannedSubmission],
) -> Result<(), DemoError> {
    view(&app.store, catalog, plays).await?;
    let submissions = plays.iter().map(|play| play.submission(app, catalog));
    let submissions = submissions.filter(|submission| !submission.entries.is_empty());
    let submissions = submissions.map(|submission| app.writer.submit(submission));
    let outcomes = try_join_all(submissions).await?;
    match outcomes.iter().find(|outcome| !matches!(outcome, SubmissionOutcome::Recorded(..))) {
        None => Ok(()),
        Some(outcome) => Err(wrong("history.json", format!("a submission: {outcome:?}"))),
    }
}
