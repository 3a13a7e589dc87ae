//! Parts of addresses and headers that several calls take, for the API document: what they mean stands
//! here once. Their values are read by the extractors and handlers.
#![expect(dead_code, reason = "they describe parameters in the API document and are never built")]

use utoipa::IntoParams;

use crate::closed_sets;

/// The user in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct UserPath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
}

/// The session in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// The id of the session.
    pub sid: String,
}

/// The term version in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TermPath {
    /// The id of the term version.
    pub id: i64,
}

/// The proposal in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProposalPath {
    /// The id of the proposal.
    #[param(format = "uuid")]
    pub id: String,
}

/// The draft in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DraftPath {
    /// The id of the draft.
    pub id: String,
}

/// The language of a draft in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DraftDocumentPath {
    /// The id of the draft.
    pub id: String,
    /// A language that the draft has: a BCP 47 tag.
    pub locale: String,
}

/// The receipt in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ReceiptFile {
    /// The id of the receipt with `.json`, `.tlog-proof`, `.pdf` or no ending.
    pub file: String,
}

/// The document in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DocumentPath {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    pub sha256: String,
}

/// A file that was made from a document.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DocumentPartPath {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    pub sha256: String,
    /// The name of the file, such as `manifest.json` or `1@2x.png`.
    pub part: String,
}

/// The tile in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TilePath {
    /// `<L>/<N>[.p/<W>]` for hashes of level L, or `entries/<N>[.p/<W>]`. N is written in groups of three
    /// digits, as C2SP tlog-tiles has it.
    pub path: String,
}

/// The market in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MarketPath {
    /// The code of the market: a country (`DE`), a subdivision (`DE-BE`), or a place in either (`DE-BE.berlin`).
    pub code: String,
}

/// The service key in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ServiceKeyPath {
    /// The id of the service key.
    pub id: String,
}

/// The environment in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct EnvironmentPath {
    /// The name of the environment: 1 to 64 letters, digits, `.`, `_` or `-`, the first a letter or digit.
    pub environment: String,
}

/// A saved version in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ConfigurationVersionPath {
    /// The name of the environment.
    pub environment: String,
    /// The number of the version; 0 for the empty configuration before the first.
    pub version: i64,
}

/// A scheduled change in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ChangePath {
    /// The name of the environment.
    pub environment: String,
    /// The id of the change.
    pub id: String,
}

/// A flag key in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagKeyPath {
    /// The name of the environment.
    pub environment: String,
    /// The id of the key. It is not the key itself.
    pub id: String,
}

/// A flag of an environment in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagOfEnvironmentPath {
    /// The name of the environment.
    pub environment: String,
    /// The key of the flag.
    pub key: String,
}

/// The experiment in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ExperimentPath {
    /// The key of the experiment.
    pub key: String,
}

/// The holdout in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct HoldoutPath {
    /// The key of the holdout.
    pub key: String,
}

/// The version of the flag service's API.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct VersionPath {
    /// The version of the flag service's API.
    #[param(value_type = closed_sets::FlagApiVersion, inline)]
    pub version: String,
}

/// The webhook in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookPath {
    /// The id of the webhook.
    pub id: String,
}

/// A delivery of a webhook in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DeliveryPath {
    /// The id of the webhook.
    pub id: String,
    /// The id of the delivery.
    pub delivery: String,
}

/// The flag that is evaluated.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FlagPath {
    /// The version of the flag service's API.
    #[param(value_type = closed_sets::FlagApiVersion, inline)]
    pub version: String,
    /// The key of the flag.
    #[param(rename = "flagKey")]
    pub flag_key: String,
}

/// The flag that is evaluated by OFREP.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct OfrepFlagPath {
    /// The key of the flag.
    pub key: String,
}

/// What opens a stream.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TicketQuery {
    /// The ticket that `POST /api/flags/v3/stream-tickets` gave.
    pub ticket: String,
}

/// What a stream told.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConfigEtagQuery {
    /// The version that a stream named. The answer waits up to a second for a node that does not have it
    /// yet.
    #[param(rename = "flagConfigEtag")]
    pub flag_config_etag: Option<String>,
}

/// The languages of the reader.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct AcceptLanguage {
    /// The languages of the reader, for texts and titles (RFC 4647 lookup). Without a match the default
    /// language.
    #[param(rename = "Accept-Language")]
    pub accept_language: Option<String>,
}

/// The key that makes a submission count once.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// 1 to 255 visible ASCII characters, at least 22 without a session. Make it up when the person
    /// presses the button; a UUID will do.
    #[param(rename = "Idempotency-Key", max_length = 255)]
    pub idempotency_key: Option<String>,
}

/// The version that was read.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfMatch {
    /// The ETag of what was read. Without it 428 `precondition_required`; 412 `precondition_failed` if it
    /// is not the current one any more.
    #[param(rename = "If-Match")]
    pub if_match: String,
}

/// The version that is known.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfNoneMatch {
    /// The ETag of the former answer. If it is still right: 304 without a body.
    #[param(rename = "If-None-Match")]
    pub if_none_match: Option<String>,
}

/// The part of a document that is asked for.
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
    /// A random value of the browser profile, which tells a race of tabs from a stolen token. Without it
    /// the `User-Agent` counts.
    #[param(rename = "X-Musette-Instance")]
    pub instance: Option<String>,
}

/// How the refresh token is delivered.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct CookiesHeader {
    /// `hardened`: the refresh token comes in a cookie that no script reads, and not in the body.
    #[param(rename = "X-Musette-Cookies")]
    pub cookies: Option<String>,
}

/// Whether traces are asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct DebugHeader {
    /// `1`: results have a `trace` and the values of attributes. Only for a key with the debug right.
    #[param(rename = "X-Musette-Debug")]
    pub debug: Option<String>,
}
