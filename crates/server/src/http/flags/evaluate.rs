//! `PUT features/{flagKey}`, `PUT features`, `GET features-list/keys`: from memory, all of one answer
//! from one version of the configuration.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use musette_core::flags::{
    ApiVersion, Context, Evaluation, FlagId, Moment, Snapshot, write_unknown,
};

use super::answer::{etag, is_known, json, not_modified};
use super::asked::{Keys, checked, feature_list, refusal, text};
use super::key;
use super::wire::{AttributesBody, KeysBody, ResultBody, ResultsBody};
use crate::app::App;
use crate::events::usage::Counted;
use crate::http::problem::{Problem, ProblemBody};
use crate::ruleset::{Access, KeyKind};
use crate::sticky::{Assignment, Stickies};

/// The sticky assignments of one environment, as the engine asks for them.
pub struct StickiesOf<'a> {
    pub stickies: &'a Stickies,
    pub environment: &'a str,
}

impl musette_core::flags::Stickies for StickiesOf<'_> {
    fn assigned(
        &self,
        experiment: &str,
        unit_kind: &str,
        unit: &str,
    ) -> Option<musette_core::flags::Assigned> {
        let (variation, bucket_version) =
            self.stickies.get(self.environment, experiment, unit_kind, unit)?;
        Some(musette_core::flags::Assigned { variation: variation.to_string(), bucket_version })
    }
}

/// One person, asking of one snapshot at one moment.
pub struct Asking<'a> {
    pub app: &'a App,
    pub access: &'a Access,
    pub snapshot: &'a Snapshot,
    pub context: &'a Context<'a>,
    pub moment: Moment<'a>,
    pub counted: &'a Counted,
    pub debug: bool,
}

impl<'a> Asking<'a> {
    /// A client's key does not even learn that there is a flag that it may not see.
    pub fn visible(&self, key: &str) -> Option<FlagId> {
        self.snapshot.flag(key).filter(|flag| is_visible(self.snapshot, *flag, self.access.kind))
    }

    /// Evaluates, remembers what is to be remembered, counts.
    pub fn evaluate(&self, flag: FlagId) -> Evaluation<'a> {
        let evaluation = self.snapshot.evaluate(flag, self.context, &self.moment);
        self.after(flag, &evaluation);
        evaluation
    }

    fn after(&self, flag: FlagId, evaluation: &Evaluation<'a>) {
        if let Some(new) = evaluation.assign() {
            let assignment = Assignment {
                environment: &self.access.environment.name,
                experiment: new.experiment,
                unit_kind: new.unit_kind,
                unit: new.unit,
                variation: new.variation,
                bucket_version: new.bucket_version,
            };
            self.app.flags.stickies.remember(&assignment, self.moment.now.millis());
        }
        self.counted.count(flag, evaluation.variation().map_or("", |served| served.key), 1);
    }

    fn write(&self, flag: FlagId, version: ApiVersion, out: &mut Vec<u8>) -> Evaluation<'a> {
        if !self.debug {
            let evaluation = self.evaluate(flag);
            evaluation.write(version, out);
            return evaluation;
        }
        let (evaluation, trace) = self.snapshot.explain(flag, self.context, &self.moment);
        self.after(flag, &evaluation);
        evaluation.write_debug(version, self.context, &trace, out);
        evaluation
    }

    /// What tells this answer from another: beside the flags' own fingerprint the version, the kind of
    /// key and the form of the answer.
    pub fn etag_of(
        &self,
        flags: impl IntoIterator<Item = FlagId>,
        form: &impl std::hash::Hash,
    ) -> axum::http::HeaderValue {
        let fingerprint = self.snapshot.fingerprint(flags, self.context, &self.moment);
        let mut hasher = DefaultHasher::new();
        (fingerprint, self.access.environment.name.as_str(), self.snapshot.version())
            .hash(&mut hasher);
        (self.access.kind, self.debug).hash(&mut hasher);
        form.hash(&mut hasher);
        let low = hasher.finish();
        0_u8.hash(&mut hasher);
        etag(u128::from(hasher.finish()) << 64 | u128::from(low))
    }

    /// Of an answer that the caller has already: one in so many counts for all of them, so that a
    /// flag whose answers never change is still known to be asked for.
    pub fn count_unchanged(&self, flags: impl IntoIterator<Item = FlagId>) {
        if let Some(weight) = self.counted.turn() {
            for flag in flags {
                let evaluation = self.snapshot.evaluate(flag, self.context, &self.moment);
                let variation = evaluation.variation().map_or("", |served| served.key);
                self.counted.count(flag, variation, weight);
            }
        }
    }
}

fn is_visible(snapshot: &Snapshot, flag: FlagId, kind: KeyKind) -> bool {
    kind == KeyKind::Server || snapshot.client_visible(flag)
}

/// Prepares the person of a body and lets `answer` ask.
fn asking(
    app: &App,
    parts: &Parts,
    body: &[u8],
    access: &Access,
    answer: impl FnOnce(&Asking<'_>) -> Result<Response, Problem>,
) -> Result<Response, Problem> {
    let snapshot = access.environment.snapshot();
    let context =
        snapshot.context(text(body)?).map_err(|fault| refusal(body, &fault.to_string()))?;
    let stickies =
        StickiesOf { stickies: &app.flags.stickies, environment: &access.environment.name };
    let counted = app.flags.usage.of(&snapshot);
    answer(&Asking {
        app,
        access,
        snapshot: &snapshot,
        context: &context,
        moment: Moment { now: app.now(), stickies: &stickies },
        counted: &counted,
        debug: key::is_debug(access, parts),
    })
}

/// What one person gets of one flag. An unknown flag is a 404 in v1 and v2, and a result in v3.
#[utoipa::path(
    put, path = "/api/flags/{version}/features/{flagKey}", tag = "flags", operation_id = "feature",
    params(("version" = String, Path, description = "v1, v2 or v3"), ("flagKey" = String, Path)),
    request_body = AttributesBody,
    responses((status = 200, body = ResultBody), (status = 304), (status = 404, body = ResultBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub fn one(
    app: &Arc<App>,
    parts: &Parts,
    body: &[u8],
    version: ApiVersion,
    flag: &str,
) -> Result<Response, Problem> {
    let access = match key::access(app, parts) {
        Ok(access) => access,
        Err(problem) => return Err(checked(body, None).err().unwrap_or(problem)),
    };
    asking(app, parts, body, &access, |asking| {
        let found = asking.visible(flag);
        let etag = asking.etag_of(found, &("one", version, flag));
        if found.is_some() && is_known(&parts.headers, &etag) {
            asking.count_unchanged(found);
            return Ok(not_modified(etag));
        }
        let mut out = Vec::with_capacity(512);
        let Some(found) = found else {
            write_unknown(version, &mut out);
            let is_error = version != ApiVersion::V3;
            let status = if is_error { StatusCode::NOT_FOUND } else { StatusCode::OK };
            return Ok(json(status, etag, out));
        };
        asking.write(found, version, &mut out);
        Ok(json(StatusCode::OK, etag, out))
    })
}

/// What one person gets of many flags, all from one version of the configuration; v3 without a
/// `featureList` gives every flag that the key sees.
#[utoipa::path(
    put, path = "/api/flags/{version}/features", tag = "flags", operation_id = "features",
    params(("version" = String, Path, description = "v1, v2 or v3")),
    request_body = AttributesBody,
    responses((status = 200, body = ResultsBody), (status = 304), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub fn many(
    app: &Arc<App>,
    parts: &Parts,
    body: &[u8],
    version: ApiVersion,
) -> Result<Response, Problem> {
    let access = match key::access(app, parts) {
        Ok(access) => access,
        Err(problem) => return Err(checked(body, Some(version)).err().unwrap_or(problem)),
    };
    asking(app, parts, body, &access, |asking| {
        let keys = feature_list(text(body)?, version)?;
        let flags = found(asking, &keys);
        let known = || flags.iter().filter_map(|(_, flag)| *flag);
        let etag = asking.etag_of(known(), &("many", version, &keys));
        if is_known(&parts.headers, &etag) {
            asking.count_unchanged(known());
            return Ok(not_modified(etag));
        }
        Ok(json(StatusCode::OK, etag, write_many(asking, &flags, version)))
    })
}

/// The flags that are asked for, in the order in which they are.
fn found<'a>(asking: &Asking<'a>, keys: &'a Keys<'_>) -> Vec<(&'a str, Option<FlagId>)> {
    match keys {
        Some(keys) => keys.iter().map(|key| (&**key, asking.visible(key))).collect(),
        None => visible(asking.snapshot, asking.access.kind)
            .map(|flag| (asking.snapshot.key(flag), Some(flag)))
            .collect(),
    }
}

/// Every flag that a key of this kind sees.
pub fn visible(snapshot: &Snapshot, kind: KeyKind) -> impl Iterator<Item = FlagId> + '_ {
    snapshot.flags().filter(move |flag| is_visible(snapshot, *flag, kind))
}

fn write_many(
    asking: &Asking<'_>,
    flags: &[(&str, Option<FlagId>)],
    version: ApiVersion,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + flags.len() * 256);
    let is_v3 = version == ApiVersion::V3;
    if is_v3 {
        // Writing to memory cannot fail.
        let _ = write!(out, "{{\"version\":{},\"flags\":", asking.snapshot.version());
    }
    let mut holdouts: Vec<(&str, &str)> = Vec::new();
    out.push(b'{');
    for (i, (key, flag)) in flags.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        let _ = serde_json::to_writer(&mut out, key);
        out.push(b':');
        let Some(flag) = *flag else {
            write_unknown(version, &mut out);
            continue;
        };
        for holdout in asking.write(flag, version, &mut out).holdouts() {
            // A person is in one group of each.
            if holdouts.iter().all(|(key, _)| *key != holdout.key) {
                holdouts.push((holdout.key, holdout.group.as_str()));
            }
        }
    }
    out.push(b'}');
    if is_v3 {
        out.extend(b",\"holdouts\":[");
        for (i, (key, group)) in holdouts.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.extend(b"{\"key\":");
            let _ = serde_json::to_writer(&mut out, key);
            let _ = write!(out, ",\"group\":\"{group}\"}}");
        }
        out.extend(b"]}");
    }
    out
}

/// The flags that this key sees.
#[utoipa::path(
    get, path = "/api/flags/{version}/features-list/keys", tag = "flags", operation_id = "feature_keys",
    params(("version" = String, Path, description = "v1, v2 or v3")),
    responses((status = 200, body = KeysBody), (status = 304), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub fn keys(app: &Arc<App>, parts: &Parts, version: ApiVersion) -> Result<Response, Problem> {
    let access = key::access(app, parts)?;
    let snapshot = access.environment.snapshot();
    let mut hasher = DefaultHasher::new();
    (&access.environment.name, snapshot.version(), access.kind, version).hash(&mut hasher);
    let etag = etag(u128::from(hasher.finish()));
    if is_known(&parts.headers, &etag) {
        return Ok(not_modified(etag));
    }
    let flags = visible(&snapshot, access.kind);
    let body = if version == ApiVersion::V3 {
        let keys: Vec<_> = flags
            .map(|flag| {
                let relevant: Vec<&str> = snapshot.relevant(flag).collect();
                serde_json::json!({"key": snapshot.key(flag), "relevantContext": relevant})
            })
            .collect();
        serde_json::json!({"version": snapshot.version(), "keys": keys}).to_string()
    } else {
        let keys: Vec<&str> = flags.map(|flag| snapshot.key(flag)).collect();
        serde_json::json!(keys).to_string()
    };
    Ok(json(StatusCode::OK, etag, body.into_bytes()))
}
