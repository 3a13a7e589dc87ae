//! The enumerations of the API, as the OpenAPI document lists them. Where the program has a list of
//! the values, the enumeration uses it, so that the two cannot differ.

use std::borrow::Cow;

use musette_core::session::{Role as RoleOf, SignInMethod as MethodOf};
use musette_core::terms::{Method, UserType as TypeOf};
use musette_store::EVENT_TYPES;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

/// The statuses of a published version.
pub const TERM_STATUSES: [&str; 5] = ["scheduled", "active", "superseded", "cancelled", "retired"];

/// The statuses of a proposal.
pub const PROPOSAL_STATUSES: [&str; 4] = ["proposed", "done", "cancelled", "refused"];

/// The roles, for error messages.
pub const ROLE_NAMES: &str = "rider, worker, viewer, support, legal, product, operator or admin; viewer, support \
    and legal may be limited to a declared market (legal@DE), product to an environment (product@staging)";

/// A role, optionally for one market or environment only: `legal@DE`, `product@staging`.
pub enum RoleGrant {}

impl utoipa::PartialSchema for RoleGrant {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String);
        let description = "A role. With a suffix after `@`, it is limited to one market (`viewer`, `support`, \
                    `legal`) or to one environment (`product`): `legal@DE`, `product@staging`.";
        object.description(Some(description)).pattern(Some(GRANT_PATTERN)).build().into()
    }
}

impl utoipa::ToSchema for RoleGrant {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("RoleGrant")
    }
}

const GRANT_PATTERN: &str =
    "^(rider|worker|viewer|support|legal|product|operator|admin)(@[A-Za-z0-9][A-Za-z0-9._-]*)?$";

macro_rules! closed_sets {
    ($($(#[doc = $doc:literal])+ $name:ident = $words:expr;)+) => {$(
        $(#[doc = $doc])+
        pub enum $name {}

        impl utoipa::PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema(concat!($($doc, "\n"),+), &$words[..])
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    )+};
}

fn schema(description: &str, words: &[&str]) -> RefOr<Schema> {
    let lines: Vec<&str> = description.lines().map(str::trim).collect();
    let object = ObjectBuilder::new().schema_type(Type::String);
    object
        .description(Some(lines.join("\n").trim()))
        .enum_values(Some(words.iter().copied()))
        .build()
        .into()
}

closed_sets! {
    /// The reason why the text of a page may differ from what the page shows: the page is an image
    /// (`picture`), has letters
        /// without a character code (`letters`), contains invisible text (`hidden`), lacks visible
        /// text (`words`), or its reading order is uncertain (`order`).
    DocumentDoubtKind = musette_render::DoubtKind::ALL.map(musette_render::DoubtKind::code);
    /// The format of a receipt: JSON, the C2SP proof alone, or a certificate as PDF.
    ReceiptFormat = ["json", "tlog-proof", "pdf"];
    /// The role in which a person decides: `RIDER` with a user ID, `APPLICANT` without one.
    UserType = [TypeOf::Rider, TypeOf::Applicant].map(TypeOf::as_str);
    /// The way in which a person decided: by ticking the term, or all terms at once.
    ConsentMethod = [Method::Tick, Method::AgreeAll].map(Method::as_str);
    /// The evidence for which document was shown: `presented` if the device named it, `inferred`
    /// from the language that
        /// the device requested, `imported` from another system.
    EvidenceKind = ["presented", "inferred", "imported"];
    /// The type of an event.
    EventType = EVENT_TYPES;
    /// The reason why a rider may not work.
    GateReason = ["terms"];
    /// The reason why a webhook is disabled: it responded with 410 (`gone`), ten delivery attempts
    /// failed (`failed`), an
        /// admin disabled it (`person`), or the store was restored from a backup (`restored`).
    WebhookDisabledReason = ["gone", "failed", "person", "restored"];
    /// The status of a delivery: waiting for the next attempt, answered with 2xx, or failed for
    /// good.
    DeliveryStatus = ["waiting", "delivered", "failed"];
    /// A role. All roles except `rider` and `worker` have access to the console; `operator`
    /// combines `support`, `legal`
        /// and `product`.
    Role = RoleOf::ALL.map(RoleOf::as_str);
    /// The sign-in method: a one-time `code`, a `password`, a password with an authenticator app
    /// (`password_otp`), the
        /// company's OpenID provider (`oidc`), a one-time `link`, the `command` line, or a `demo`.
    SignInMethod = MethodOf::ALL.map(MethodOf::as_str);
    /// The status of a version: `scheduled` for later, `active` now, `superseded` by a newer one,
    /// `cancelled` before it
        /// took effect, or `retired` together with its document.
    TermStatus = TERM_STATUSES;
    /// The kind of a finding in a document.
    FindingKind = [
        "pages", "content", "picture", "graphic", "font", "form_field", "annotation", "note", "xfa",
        "letters", "javascript", "launch", "embedded_file", "submit_form", "import_data",
        "remote_file", "media",
    ];
    /// The severity of a finding: `missing` (the page images lack something) and `active` (active
    /// content) prevent
        /// publication unless a reason is given, `remark` does not.
    FindingConcern = ["missing", "active", "remark"];
    /// The reason why a receipt is not authentic: it cannot be parsed (`malformed`), its entry or
    /// its proof is wrong, it
        /// belongs to another person, or it belongs to an applicant although a user was named.
    ReceiptFault = ["malformed", "entry", "proof", "other_person", "applicant"];
    /// Whether the receipt belongs to the named user; `not_claimed` if no user was named.
    SubjectCheck = ["matches", "not_claimed"];
    /// The type of an audit event.
    AuditEvent = musette_store::AUDIT_EVENTS;
    /// The kind of actor: a `person`, an operator at the command line (`command`), the company's
    /// identity `provider`, a
        /// request without a session (`anybody`), or the `program` itself.
    AuditAgent = ["person", "command", "provider", "anybody", "program"];
    /// The database engine.
    EngineName = ["sqlite", "postgres"];
    /// The delivery of one-time codes. `log` writes them to the log in demos and tests, and
    /// otherwise sends nothing.
    DeliveryKind = ["log", "smtp", "webhook"];
    /// The kind of a key. A `client` key is public and gives access to client-visible flags only.
    FlagKeyKind = ["client", "server"];
    /// The version of the flag API. Version 3 has all members.
    FlagApiVersion = ["v1", "v2", "v3"];
    /// The step of an evaluation that determined the result.
    ExplanationKind = [
        "OFF", "OVERRIDE", "PREREQUISITE_FAILED", "HOLDOUT", "TARGET", "RULE", "ROLLOUT", "AB_TEST",
        "DEFAULT", "ERROR",
    ];
    /// The group of a user in a holdout: held out, measured for comparison, or neither.
    HoldoutGroup = ["HELD_OUT", "COMPARISON", "GENERAL"];
    /// A group of a holdout whose users are counted.
    CountedHoldoutGroup = ["HELD_OUT", "COMPARISON"];
    /// The object in which a user participates.
    ParticipationEvent = ["ab_test.participated", "holdout_group.participated"];
    /// The reason in a response of OFREP.
    OfrepReason = ["STATIC", "DEFAULT", "TARGETING_MATCH", "SPLIT", "DISABLED"];
    /// The error code in a response of OFREP.
    OfrepErrorCode =
        ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL", "FLAG_NOT_FOUND"];
    /// The status of an experiment.
    ExperimentStatus = ["draft", "running", "stopped", "shipped"];
    /// The decision about an experiment.
    ExperimentDecision = ["ship", "stop", "continue"];
    /// The status of a holdout. In `analysis`, users are still held out, but no new users are
    /// counted.
    HoldoutStatus = ["draft", "running", "analysis", "ended"];
    /// The direction in which a metric improves.
    MetricDirection = ["increase", "decrease"];
    /// How the values of one user are combined: their sum, whether there is one, their mean, or the
    /// ratio of two metrics.
    MetricKind = ["sum", "conversion", "mean", "ratio"];
    /// The role of a metric in an experiment: a `goal` should improve, a `guardrail` must not
    /// become worse, a `secondary`
        /// metric decides nothing.
    MetricRole = ["goal", "guardrail", "secondary"];
    /// The conclusion from a metric: `no_data` if there is too little data, `not_yet` if there is
    /// no significant difference.
    ResultVerdict = ["no_data", "not_yet", "better", "worse"];
    /// The reason why results are not reliable: the variations did not get their shares of users,
    /// or too many users saw
        /// several variations.
    ResultWarning = ["sample_ratio_mismatch", "multiple_exposures"];
    /// The author of a version: a `person`, a `command`, or a `schedule` whose step or change was
    /// due.
    VersionActor = ["person", "command", "schedule"];
    /// The change of an object by a version: `switched_on` and `switched_off` if only the switch of
    /// a flag differs.
    ObjectChange = ["added", "removed", "changed", "switched_on", "switched_off"];
    /// The status of a change: `proposed` waits for approval, `waiting` for its time.
    ChangeStatus = ["proposed", "waiting", "done", "cancelled", "refused"];
    /// What needs approval: drafts of `terms`, or changes of `flags`.
    ApprovalSubject = ["terms", "flags"];
    /// The subject of a proposal: published `terms`, or the `rules` of approval.
    ProposalSubject = ["terms", "rules"];
    /// The action of a proposal when it is applied.
    ProposedAct = [
        "retire_term", "cancel_term", "undo_retirement", "undo_cancellation", "reorder_terms", "replace_rules"
    ];
    /// The status of a proposal.
    ProposalStatus = PROPOSAL_STATUSES;
    /// The reason why a change was rejected.
    ChangeRefusal = ["conflict", "approval_required"];
    /// A list of a configuration; `settings` for all other members.
    ConfigurationSection =
        ["attributes", "segments", "layers", "holdouts", "metrics", "flags", "settings"];
    /// The format of an export: `jsonl` has one JSON object per line, `dpv` has ISO/IEC TS 27560
    /// records in the Data Privacy
        /// Vocabulary.
    ExportFormat = ["csv", "jsonl", "dpv"];
    /// The direction in which a metric improves that the configuration does not declare.
    ResultGoal = ["higher", "lower"];
    /// How values of a metric are interpreted that the configuration does not declare.
    ResultMeasure = ["mean", "proportion"];
    /// The status of a running process.
    HealthStatus = ["ok"];
    /// The status of a server that is ready for requests.
    ReadyStatus = ["ready"];
}
