//! Creates the weeks before the first start in chronological order: publications, consents,
//! decisions about riders, an erasure, the history of the configuration, measurements of experiments, and their audit events.

use std::collections::HashMap;
use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_core::terms::TermId;
use musette_store::{AuditEvent, NewDocument, Store, User};

use super::decisions::{DecisionPlan, PlannedDecisions};
use super::people::{DemoPerson, PlannedSubmission};
use super::plan::{DAYS, DemoPlan, days_before};
use super::terms::publish;
use super::{Demo, DemoError, configuration, experiments, people, systems};
use crate::experiments::units::UnitKey;
use crate::node::app::App;
use crate::platform::random;

/// How many days ago a courier was erased.
const ERASED_DAYS_AGO: u64 = 12;

/// An event between submissions.
enum Step {
    PublishSystems,
    Publish(usize),
    Erase,
    /// A change of an evaluation or restriction.
    Decide,
}

/// Fills an empty store, whose log must begin together with the history.
pub async fn play(
    app: &App,
    demo: &Demo,
    documents: &HashMap<String, NewDocument>,
    now: Instant,
) -> Result<(), DemoError> {
    let plan = DemoPlan::read()?;
    let store = &*app.store;
    let mut operators = Vec::new();
    for operator in &plan.operators {
        let began = days_before(now, DAYS);
        let (id, name) = (&operator.user_id, &operator.name);
        operators.push(people::add(store, id, name, Role::Operator, None, began).await?);
    }
    let couriers = people::add_couriers(store, &plan, &demo.markets, now).await?;
    let mut audit = Audit::default();
    audit.of_people(&operators, &couriers, now);
    let units = UnitKey::load(store).await?;
    play_log(app, demo, documents, &couriers, &operators, &mut audit, now).await?;
    let subjects: Vec<String> = operators.iter().map(|operator| operator.subject.clone()).collect();
    let document = configuration::play(store, &plan, &subjects, now).await?;
    let remaining = couriers.iter().filter(|courier| !courier.is_erased());
    let ids: Vec<String> = remaining.map(|courier| courier.user.id.clone()).collect();
    experiments::play(store, &units, &plan.experiments, &ids, now).await?;
    experiments::count_evaluations(store, &document, &plan.usage, now).await?;
    audit.write(store).await
}

/// Makes everything that is in the log, in chronological order.
async fn play_log(
    app: &App,
    demo: &Demo,
    documents: &HashMap<String, NewDocument>,
    couriers: &[DemoPerson],
    operators: &[User],
    audit: &mut Audit,
    now: Instant,
) -> Result<(), DemoError> {
    let store = &*app.store;
    let plan = DecisionPlan::read()?;
    let mut decisions = PlannedDecisions::plan(store, &plan, couriers, now).await?;
    let mut steps: Vec<(Instant, Step)> = vec![
        (days_before(now, DAYS), Step::PublishSystems),
        (days_before(now, ERASED_DAYS_AGO), Step::Erase),
    ];
    steps.extend(demo.terms.iter().enumerate().map(|(i, term)| {
        let days_ago = term.published_days_ago.unwrap_or(DAYS);
        (days_before(now, days_ago), Step::Publish(i))
    }));
    steps.extend(decisions.times().into_iter().map(|at| (at, Step::Decide)));
    steps.sort_by_key(|(at, _)| *at);
    let plays = people::plays(couriers, &demo.markets, now);
    let mut rest: &[PlannedSubmission] = &plays;
    let mut published: HashMap<&str, TermId> = HashMap::new();
    for (at, step) in steps {
        rest = submit_until(app, rest, at).await?;
        match step {
            Step::PublishSystems => systems::publish(store, at).await?,
            Step::Publish(term) => {
                let Some(term) = demo.terms.get(term) else { continue };
                let id = publish(store, term, documents, &published, at, now).await?;
                published.insert(&term.slug, id);
                audit.add(at, "term_published", None, operators.first(), Some(id.to_string()));
            }
            Step::Erase => {
                for courier in couriers.iter().filter(|courier| courier.is_erased()) {
                    store.erase_user(&courier.user.id, at).await?;
                    audit.add(at, "user_erased", Some(&courier.user), operators.get(1), None);
                }
            }
            Step::Decide => decisions.make_until(store, at).await?,
        }
    }
    submit_until(app, rest, now).await?;
    Ok(())
}

/// Records the decisions before `until`, and returns the others.
async fn submit_until<'p>(
    app: &App,
    plays: &'p [PlannedSubmission],
    until: Instant,
) -> Result<&'p [PlannedSubmission], DemoError> {
    let (due_plays, rest) = plays.split_at(plays.partition_point(|play| play.at < until));
    if !due_plays.is_empty() {
        let catalog = Arc::new(app.store.catalog().await?);
        people::submit(app, &catalog, due_plays).await?;
    }
    Ok(rest)
}

/// Audit events, which are written in chronological order when all are known.
#[derive(Default)]
struct Audit(Vec<(Instant, AuditEvent)>);

impl Audit {
    fn add(
        &mut self,
        at: Instant,
        event: &'static str,
        subject: Option<&User>,
        actor: Option<&User>,
        detail: Option<String>,
    ) {
        let event = AuditEvent {
            id: random::uuid_of(at),
            event,
            subject: subject.map(|user| user.subject.clone()),
            sid: None,
            detail: detail.map(Into::into),
            actor: actor.map(|user| user.subject.clone()),
        };
        self.0.push((at, event));
    }

    fn of_people(&mut self, operators: &[User], couriers: &[DemoPerson], now: Instant) {
        let (first, second) = (operators.first(), operators.get(1));
        for courier in couriers.iter().filter(|courier| !courier.is_first()) {
            self.add(
                courier.joined,
                "user_added",
                Some(&courier.user),
                first,
                Some("rider".into()),
            );
        }
        for days_ago in (1..DAYS).step_by(4) {
            let at = days_before(now, days_ago);
            let operator = if days_ago.is_multiple_of(3) { second } else { first };
            self.add(at, "signed_in", operator, None, Some("password".into()));
        }
        let of = |number: usize| couriers.get(number).map(|courier| &courier.user);
        let at = |days_ago| days_before(now, days_ago);
        self.add(at(33), "consents_exported", None, second, Some("csv everybody".into()));
        self.add(at(19), "receipt_read", of(12), first, None);
        self.add(at(18), "person_data_read", of(12), first, None);
        self.add(at(10), "sessions_ended_by_operator", of(30), second, None);
    }

    async fn write(mut self, store: &Store) -> Result<(), DemoError> {
        self.0.sort_by_key(|(at, _)| *at);
        for (at, event) in &self.0 {
            store.audit(event, *at).await?;
        }
        Ok(())
    }
}
