//! Parameters in paths, queries and headers that several operations share, for the API document.
//! The extractors and handlers read their values.
#![expect(dead_code, reason = "they describe parameters in the API document and are never built")]

mod notices;

pub use notices::{
    CampaignMessagePath, CampaignPath, NoticePath, PushSubscriptionPath, RiderNoticePath,
};
use utoipa::IntoParams;

use crate::platform::closed_sets;

/// The user in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct UserPath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
}

/// The session in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// The id of the session.
    pub sid: String,
}

/// The term version in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TermPath {
    /// The id of the term version.
    pub id: i64,
}

/// The evaluation in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct EvaluationPath {
    /// The id of the evaluation, which its creator chose.
    #[param(format = "uuid")]
    pub id: String,
}

/// The excusal in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ExcusalPath {
    /// The id of the excusal, which its creator chose.
    #[param(format = "uuid")]
    pub id: String,
}

/// The rider and one of their evaluations in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RiderEvaluationPath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
    /// The id of the evaluation.
    #[param(format = "uuid")]
    pub id: String,
}

/// The restriction in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RestrictionPath {
    /// The id of the restriction.
    #[param(format = "uuid")]
    pub id: String,
}

/// The rider and one of their restrictions in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RiderRestrictionPath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
    /// The id of the restriction.
    #[param(format = "uuid")]
    pub id: String,
}

/// The proposal in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProposalPath {
    /// The id of the proposal.
    #[param(format = "uuid")]
    pub id: String,
}

/// The draft in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DraftPath {
    /// The id of the draft.
    pub id: String,
}

/// The draft and the language in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DraftDocumentPath {
    /// The id of the draft.
    pub id: String,
    /// The language of the document in the draft: a BCP 47 tag.
    pub locale: String,
}

/// The automated system in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SystemPath {
    /// The key of the system: `[a-z][a-z0-9-]{0,62}`.
    #[param(pattern = "^[a-z][a-z0-9-]{0,62}$", example = "order-dispatch")]
    pub key: String,
}

/// The receipt in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ReceiptFile {
    /// The id of the receipt, with `.json`, `.tlog-proof`, `.pdf` or no extension.
    pub file: String,
}

/// The document in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DocumentPath {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    pub sha256: String,
}

/// A file that was generated from a document.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DocumentPartPath {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    pub sha256: String,
    /// The name of the file, such as `manifest.json` or `1@2x.png`.
    pub part: String,
}

/// The tile in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TilePath {
    /// `<L>/<N>[.p/<W>]` for hashes of level L, or `entries/<N>[.p/<W>]`. N is written in groups of
    /// three digits, as in C2SP tlog-tiles.
    pub path: String,
}

/// The market in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MarketPath {
    /// The code of the market: a country (`DE`), a subdivision (`DE-BE`), or a place in one of them
    /// (`DE-BE.berlin`).
    pub code: String,
}

/// The service key in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ServiceKeyPath {
    /// The id of the service key.
    pub id: String,
}

/// The environment in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct EnvironmentPath {
    /// The name of the environment: 1 to 64 letters, digits, `.`, `_` or `-`. The first character
    /// is a letter or digit.
    pub environment: String,
}

/// A saved version in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ConfigurationVersionPath {
    /// The name of the environment.
    pub environment: String,
    /// The number of the version. 0 is the empty configuration before the first version.
    pub version: i64,
}

/// A scheduled change in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ChangePath {
    /// The name of the environment.
    pub environment: String,
    /// The id of the change.
    pub id: String,
}

/// A flag key in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagKeyPath {
    /// The name of the environment.
    pub environment: String,
    /// The id of the key. It is not the key itself.
    pub id: String,
}

/// A flag of an environment in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagOfEnvironmentPath {
    /// The name of the environment.
    pub environment: String,
    /// The key of the flag.
    pub key: String,
}

/// The experiment in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ExperimentPath {
    /// The key of the experiment.
    pub key: String,
}

/// The holdout in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct HoldoutPath {
    /// The key of the holdout.
    pub key: String,
}

/// The version of the flag API.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct VersionPath {
    /// The version of the flag API.
    #[param(value_type = closed_sets::FlagApiVersion, inline)]
    pub version: String,
}

/// The webhook in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookPath {
    /// The id of the webhook.
    pub id: String,
}

/// A delivery of a webhook in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DeliveryPath {
    /// The id of the webhook.
    pub id: String,
    /// The id of the delivery.
    pub delivery: String,
}

/// The flag to evaluate.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagPath {
    /// The version of the flag API.
    #[param(value_type = closed_sets::FlagApiVersion, inline)]
    pub version: String,
    /// The key of the flag.
    #[param(rename = "flagKey")]
    pub flag_key: String,
}

/// The flag to evaluate by OFREP.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct OfrepFlagPath {
    /// The key of the flag.
    pub key: String,
}

/// The ticket that opens a stream.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TicketQuery {
    /// The ticket from `POST /api/flags/v3/stream-tickets`.
    pub ticket: String,
}

/// The configuration version that a stream announced.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConfigEtagQuery {
    /// The `flagConfigEtag` from a stream event. A node that does not have this version yet waits
    /// for it for up to 1 second.
    #[param(rename = "flagConfigEtag")]
    pub flag_config_etag: Option<String>,
}

/// The languages of the reader.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct AcceptLanguage {
    /// The languages of the reader, for texts and titles (RFC 4647 lookup). If none matches, the
    /// server uses the default language.
    #[param(rename = "Accept-Language")]
    pub accept_language: Option<String>,
}

/// The key that makes a submission idempotent.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// 1 to 255 visible ASCII characters, at least 22 without a session. Generate it when the
    /// person presses the button, for example a UUID, and send it again with each retry.
    #[param(rename = "Idempotency-Key", max_length = 255)]
    pub idempotency_key: Option<String>,
}

/// The version that the caller has read.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfMatch {
    /// The ETag of the version that the caller has read. If it is missing: 428
    /// `precondition_required`. If the object has changed since: 412 `precondition_failed`.
    #[param(rename = "If-Match")]
    pub if_match: String,
}

/// The version that the caller has read, if the write depends on it.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct MaybeIfMatch {
    /// The ETag of the version that the caller has read. If the object has changed since: 412
    /// `precondition_failed`. Absent: the write does not depend on a version.
    #[param(rename = "If-Match")]
    pub if_match: Option<String>,
}

/// The version that the caller has stored.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfNoneMatch {
    /// The ETag of an earlier response. If it is still current, the server returns 304 without a
    /// body.
    #[param(rename = "If-None-Match")]
    pub if_none_match: Option<String>,
}

/// The requested part of a document.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct RangeHeader {
    /// One range of bytes, such as `bytes=0-65535`.
    #[param(rename = "Range")]
    pub range: Option<String>,
}

/// The browser profile that refreshes.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct InstanceHeader {
    /// A random value that the browser profile keeps. It distinguishes several tabs that refresh at
    /// once from a stolen token. If it is absent, the server compares the `User-Agent`.
    #[param(rename = "X-Musette-Instance")]
    pub instance: Option<String>,
}

/// The delivery of the refresh token.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct CookiesHeader {
    /// `hardened`: the refresh token is returned in an `HttpOnly` cookie, not in the body.
    #[param(rename = "X-Musette-Cookies")]
    pub cookies: Option<String>,
}

/// The switch for traces.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct DebugHeader {
    /// `1`: results have a `trace` and the values of attributes. Only for keys with `debug`.
    #[param(rename = "X-Musette-Debug")]
    pub debug: Option<String>,
}
