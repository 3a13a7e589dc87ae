//! The flags of the demo: one version in a simple demo, otherwise a history with comments.

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_store::{NewFlagChange, Store, StoreError};
use serde_json::Value;

use super::plan::{DAY, DemoPlan, apply, days_before};
use super::{DemoError, ENVIRONMENT, KEY, file, wrong};
use crate::flags::ruleset::KeyKind;
use crate::flags::ruleset::keys;
use crate::flags::ruleset::keys::NewKey;
use crate::flags::ruleset::saving;
use crate::flags::ruleset::saving::{Base, ChangeMetadata};
use crate::platform::random;

fn parse(text: &str) -> Result<Document, DemoError> {
    Document::parse(text).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        wrong("flags.json", errors.join("; "))
    })
}

fn flags() -> Result<Value, DemoError> {
    serde_json::from_slice(&file("flags.json")?).map_err(|error| wrong("flags.json", error))
}

/// Creates the environment and a client key, which is stored because the pages of the demo need it.
async fn environment(store: &Store, now: Instant) -> Result<(), StoreError> {
    store.add_flag_environment(ENVIRONMENT, now).await?;
    let new = NewKey {
        environment: ENVIRONMENT,
        kind: KeyKind::Client,
        debug: true,
        name: Some("the demo"),
    };
    let created = keys::create(store, new, None, now).await?;
    store.secret(KEY, &created.key).await?;
    Ok(())
}

/// Saves `flags.json` as the only version.
pub async fn save(store: &Store, now: Instant) -> Result<(), DemoError> {
    environment(store, now).await?;
    let by = ChangeMetadata { comment: Some("the demo"), ..ChangeMetadata::SCHEDULE };
    let base = Base { version: 0, document: Document::new(ENVIRONMENT) };
    saving::save_after(store, ENVIRONMENT, &base, parse(&flags()?.to_string())?, by, now).await?;
    Ok(())
}

/// Saves the versions of the plan with their times, schedules the next one, and returns the last
/// document.
pub async fn play(
    store: &Store,
    plan: &DemoPlan,
    operators: &[String],
    now: Instant,
) -> Result<Document, DemoError> {
    let mut document = flags()?;
    for (member, more) in [("flags", &plan.flags), ("metrics", &plan.metrics)] {
        if let Some(Value::Array(items)) = document.get_mut(member) {
            items.extend(more.iter().cloned());
        }
    }
    let author = |by: usize| operators.get(by).map(String::as_str);
    let mut base = Base { version: 0, document: Document::new(ENVIRONMENT) };
    for step in &plan.versions {
        let at = days_before(now, step.days_ago);
        if base.version == 0 {
            environment(store, at).await?;
        }
        apply(&mut document, &step.set)?;
        let by = ChangeMetadata {
            author: author(step.by),
            comment: Some(&step.comment),
            ..ChangeMetadata::SCHEDULE
        };
        let parsed = parse(&document.to_string())?;
        saving::save_after(store, ENVIRONMENT, &base, parsed.clone(), by, at).await?;
        base = Base { version: base.version + 1, document: parsed };
    }
    let next = &plan.scheduled;
    apply(&mut document, &next.set)?;
    let id = random::uuid();
    let at = now.plus(DAY * u32::try_from(next.days_ahead).unwrap_or(1));
    let row = NewFlagChange {
        id: &id,
        environment: ENVIRONMENT,
        at: Some(at),
        base: base.version,
        document: &parse(&document.to_string())?.to_json(),
        author: author(next.by),
        comment: Some(&next.comment),
    };
    let scheduled = days_before(now, 1);
    store.schedule_flags(&row, scheduled).await?;
    let (detail, actor) = (format!("change {id} at {at}"), author(next.by));
    saving::audit(store, "flags_change_scheduled", ENVIRONMENT, &detail, actor, scheduled).await?;
    Ok(base.document)
}
