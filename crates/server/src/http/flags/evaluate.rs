//! `PUT features/{flagKey}`, `PUT features`, `GET features-list/keys`: served from memory. Each
//! response uses one version of the configuration.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::ops::Deref;
use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use metrics::counter;
use musette_core::flags::{
    ApiVersion, Context, Evaluation, EvaluationInputs, FlagId, Selection, Snapshot, write_unknown,
};

use super::RequestHead;
use super::answer::{etag, json, not_modified};
use super::asked::{FEATURE_LIST, attributes_problem, checked, keys_of, required, text};
use super::buffer::with_room;
use super::key;
use super::results::write_many;
use super::wire::{AttributesBody, KeysAnswer, ResultBody, ResultsAnswer};
use crate::experiments::events::usage::Counts;
use crate::flags::ruleset::lists::{List, Lists, is_visible};
use crate::flags::ruleset::{Access, KeyKind};
use crate::flags::sticky::{ExperimentAssignment, StickyAssignments};
use crate::http::wire::parameters::{DebugHeader, FlagPath, IfNoneMatch, VersionPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The sticky assignments of one environment, as the engine looks them up.
pub struct EnvironmentAssignments<'a> {
    pub sticky: &'a StickyAssignments,
    pub environment: &'a str,
}

impl musette_core::flags::StickyLookup for EnvironmentAssignments<'_> {
    fn assigned(
        &self,
        experiment: &str,
        unit_kind: &str,
        unit: &str,
    ) -> Option<musette_core::flags::Assigned> {
        let (variation, bucket_version) =
            self.sticky.get(self.environment, experiment, unit_kind, unit)?;
        Some(musette_core::flags::Assigned { variation: variation.to_string(), bucket_version })
    }
}

/// Evaluates flags for one person, with one snapshot at one moment.
pub struct Evaluator<'a> {
    pub app: &'a App,
    pub access: &'a Access,
    pub snapshot: &'a Snapshot,
    pub lists: &'a Lists,
    pub context: &'a Context<'a>,
    pub moment: EvaluationInputs<'a>,
    pub counts: &'a Counts,
    pub debug: bool,
    pub head: RequestHead<'a>,
}

impl<'a> Evaluator<'a> {
    /// Returns a flag that the key may see. To a client key, a flag that it may not see does not
    /// exist.
    pub fn visible(&self, key: &str) -> Option<FlagId> {
        self.snapshot.flag(key).filter(|flag| is_visible(self.snapshot, *flag, self.access.kind))
    }

    /// Evaluates a flag, stores a sticky assignment, and counts the evaluation.
    pub fn evaluate(&self, flag: FlagId) -> Evaluation<'a> {
        let evaluation = self.snapshot.evaluate(flag, self.context, &self.moment);
        self.record(flag, &evaluation);
        evaluation
    }

    fn record(&self, flag: FlagId, evaluation: &Evaluation<'a>) {
        if let Some(new) = evaluation.assign()
            && self.may_assign()
        {
            let assignment = ExperimentAssignment {
                environment: &self.access.environment.name,
                experiment: new.experiment,
                unit_kind: new.unit_kind,
                unit: new.unit,
                variation: new.variation,
                bucket_version: new.bucket_version,
            };
            self.app.flags.sticky.remember(&assignment, self.moment.now.millis());
        }
        self.counts.count(flag, evaluation.variation_number(), 1);
    }

    /// Returns whether a new assignment may be stored. A client key is public, so the rate limit
    /// counts: beyond it, invented people still get a result, but no assignment is stored.
    fn may_assign(&self) -> bool {
        let is_allowed = self.access.kind == KeyKind::Server
            || self.app.limits.assignment(self.head.address(self.app));
        if !is_allowed {
            counter!("musette_sticky_assignments_refused_total").increment(1);
        }
        is_allowed
    }

    fn write(&self, flag: FlagId, version: ApiVersion, out: &mut Vec<u8>) {
        if self.debug {
            self.write_debug(flag, version, out);
        } else {
            self.evaluate(flag).write(version, out);
        }
    }

    pub fn write_debug(
        &self,
        flag: FlagId,
        version: ApiVersion,
        out: &mut Vec<u8>,
    ) -> Evaluation<'a> {
        let (evaluation, trace) = self.snapshot.explain(flag, self.context, &self.moment);
        self.record(flag, &evaluation);
        evaluation.write_debug(version, self.context, &trace, out);
        evaluation
    }

    /// Returns the ETag of a response: the flags' fingerprint, which covers the configuration, the
    /// kind of key and the form of the response.
    pub fn etag_of(&self, flags: &Selection, form: &impl Hash) -> HeaderValue {
        let form = (self.access.kind, self.debug, form);
        etag(self.snapshot.fingerprint_of(flags, self.context, &self.moment, form))
    }

    /// Counts a 304 response. Only one in several is evaluated and counts for all of them, so that
    /// a flag whose responses never change still counts as used.
    pub fn count_unchanged(&self, flags: impl IntoIterator<Item = FlagId>) {
        if let Some(weight) = self.counts.turn() {
            for flag in flags {
                let evaluation = self.snapshot.evaluate(flag, self.context, &self.moment);
                self.counts.count(flag, evaluation.variation_number(), weight);
            }
        }
    }
}

/// Parses the attributes of a body and calls `answer` with the evaluator and the flags that the
/// body lists.
fn with_evaluator(
    app: &App,
    head: RequestHead<'_>,
    body: &[u8],
    access: &Access,
    answer: impl for<'a> FnOnce(&Evaluator<'a>, Listed<'a>) -> Result<Response, Problem>,
) -> Result<Response, Problem> {
    let current = access.environment.current();
    let lists = current.lists.known();
    let cached: Cell<Option<&List>> = Cell::new(None);
    let read = current.snapshot.context_with_member(text(body)?, FEATURE_LIST, |rest| {
        let Some((list, bytes)) = lists.at_start_of(rest, access.kind) else { return 0 };
        cached.set(Some(list));
        bytes
    });
    let (context, listed) = read.map_err(|error| attributes_problem(body, &error.to_string()))?;
    let sticky =
        EnvironmentAssignments { sticky: &app.flags.sticky, environment: &access.environment.name };
    let evaluator = Evaluator {
        app,
        access,
        snapshot: &current.snapshot,
        lists: &current.lists,
        context: &context,
        moment: EvaluationInputs { now: app.now(), sticky: &sticky },
        counts: &app.flags.usage.of(&current.snapshot),
        debug: key::is_debug(access, head.parts),
        head,
    };
    answer(&evaluator, Listed { cached: cached.into_inner(), json: listed })
}

/// The value of `featureList` in a body.
struct Listed<'a> {
    /// The list from the cache, if an earlier request had the same one.
    cached: Option<&'a List>,
    json: Option<&'a str>,
}

/// A list from the cache, or one that this request has added to it.
enum ResolvedList<'a> {
    Cached(&'a List),
    New(Arc<List>),
}

impl Deref for ResolvedList<'_> {
    type Target = List;

    fn deref(&self) -> &List {
        match self {
            Self::Cached(list) => list,
            Self::New(list) => list,
        }
    }
}

impl<'a> Listed<'a> {
    fn resolved(
        self,
        evaluator: &Evaluator<'a>,
        version: ApiVersion,
    ) -> Result<ResolvedList<'a>, Problem> {
        let kind = evaluator.access.kind;
        let list = match (self.cached, self.json) {
            (Some(cached), _) => Some(ResolvedList::Cached(cached)),
            (None, None) => None,
            (None, Some(json)) => keys_of(json)?.map(|keys| {
                ResolvedList::New(evaluator.lists.resolve(evaluator.snapshot, kind, json, &keys))
            }),
        };
        required(version, list.as_ref().is_none_or(|list| list.items.is_empty()))?;
        Ok(list
            .unwrap_or_else(|| ResolvedList::Cached(evaluator.lists.all(evaluator.snapshot, kind))))
    }
}

/// Evaluate one flag for one person.
///
/// The ETag covers everything that the result depends on. A matching `If-None-Match` returns 304.
/// For an unknown flag, versions 1 and 2 return 404 with a result, and version 3 returns 200 with
/// the kind `ERROR`.
///
/// - 401 `unauthenticated`: the key is unknown or revoked.
#[utoipa::path(
    put, path = "/api/flags/{version}/features/{flagKey}", tag = "flags", operation_id = "feature",
    params(FlagPath, DebugHeader, IfNoneMatch),
    request_body = AttributesBody,
    responses((status = 200, body = ResultBody), (status = 304), (status = 404, body = ResultBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []))
)]
pub fn one(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: &[u8],
    version: ApiVersion,
    flag: &str,
) -> Result<Response, Problem> {
    let keys = app.ruleset.keys();
    let access = match key::access_now(&keys, head.parts) {
        Ok(access) => access,
        Err(problem) => return Err(checked(body, None).err().unwrap_or(problem)),
    };
    with_evaluator(app, head, body, access, |evaluator, _| {
        let form = ("one", version, flag);
        let mut out = with_room(512);
        let Some(id) = evaluator.visible(flag) else {
            let etag = evaluator.etag_of(&evaluator.snapshot.selection(None), &form);
            write_unknown(version, &mut out);
            let is_error = version != ApiVersion::V3;
            let status = if is_error { StatusCode::NOT_FOUND } else { StatusCode::OK };
            return Ok(json(&head.parts.headers, status, etag, out));
        };
        let etag = evaluator.etag_of(evaluator.lists.alone(evaluator.snapshot, id), &form);
        if let Some(unchanged) = not_modified(&head.parts.headers, &etag) {
            evaluator.count_unchanged([id]);
            return Ok(unchanged);
        }
        evaluator.write(id, version, &mut out);
        Ok(json(&head.parts.headers, StatusCode::OK, etag, out))
    })
}

/// Evaluate many flags for one person.
///
/// All results use the same version of the configuration. Without `featureList`, version 3
/// evaluates every flag that the key sees. A matching `If-None-Match` returns 304.
///
/// - 400 `feature_list_required`: `featureList` is missing or empty, in versions 1 and 2.
/// - 401 `unauthenticated`: the key is unknown or revoked.
#[utoipa::path(
    put, path = "/api/flags/{version}/features", tag = "flags", operation_id = "features",
    params(VersionPath, DebugHeader, IfNoneMatch),
    request_body = AttributesBody,
    responses((status = 200, body = ResultsAnswer), (status = 304), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []))
)]
pub fn many(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: &[u8],
    version: ApiVersion,
) -> Result<Response, Problem> {
    let keys = app.ruleset.keys();
    let access = match key::access_now(&keys, head.parts) {
        Ok(access) => access,
        Err(problem) => return Err(checked(body, Some(version)).err().unwrap_or(problem)),
    };
    with_evaluator(app, head, body, access, |evaluator, listed| {
        let list = listed.resolved(evaluator, version)?;
        let etag = evaluator.etag_of(&list.selection, &("many", version, list.hash));
        if let Some(unchanged) = not_modified(&head.parts.headers, &etag) {
            evaluator.count_unchanged(list.flags());
            return Ok(unchanged);
        }
        let body = write_many(evaluator, &list, version);
        Ok(json(&head.parts.headers, StatusCode::OK, etag, body))
    })
}

/// List the flags that this key sees.
///
/// A matching `If-None-Match` returns 304.
///
/// - 401 `unauthenticated`: the key is unknown or revoked.
#[utoipa::path(
    get, path = "/api/flags/{version}/features-list/keys", tag = "flags", operation_id = "feature_keys",
    params(VersionPath, IfNoneMatch),
    responses((status = 200, body = KeysAnswer), (status = 304), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []))
)]
pub fn keys(app: &Arc<App>, parts: &Parts, version: ApiVersion) -> Result<Response, Problem> {
    let access = key::access(app, parts)?;
    let snapshot = access.environment.snapshot();
    let mut hasher = DefaultHasher::new();
    (&access.environment.name, snapshot.version(), access.kind, version).hash(&mut hasher);
    let etag = etag(u128::from(hasher.finish()));
    if let Some(unchanged) = not_modified(&parts.headers, &etag) {
        return Ok(unchanged);
    }
    let flags = snapshot.flags().filter(|flag| is_visible(&snapshot, *flag, access.kind));
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
    Ok(json(&parts.headers, StatusCode::OK, etag, body.into_bytes()))
}
