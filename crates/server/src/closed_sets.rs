//! The closed sets of words on the wire, as the API document lists them. Where the program has such a
//! list, it is taken from there, so that the two cannot differ.

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

/// The roles as a message lists them.
pub const ROLE_NAMES: &str = "rider, worker, viewer, support, legal, product, operator or admin; viewer, support \
    and legal may be for one market (legal@DE; with the code of a country or subdivision that there is), product for one environment (product@staging)";

/// A role, perhaps for one market or environment only: `legal@DE`, `product@staging`.
pub enum RoleGrant {}

impl utoipa::PartialSchema for RoleGrant {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String);
        let says = "A role, for all or, after `@`, for one market (`viewer`, `support`, `legal`) or one environment \
            (`product`) only: `legal@DE`, `product@staging`.";
        object.description(Some(says)).pattern(Some(GRANT_PATTERN)).build().into()
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
    /// Why the text of a page may differ from the page: it is a picture (`picture`), has letters without a name
    /// (`letters`), the file has words there that nobody sees (`hidden`), the text has not all that is seen
    /// (`words`), or its order is not certain (`order`).
    DocumentDoubtKind = musette_render::DoubtKind::ALL.map(musette_render::DoubtKind::code);
    /// The form in which a receipt is read: as JSON, as the C2SP proof alone, or as a certificate.
    ReceiptFormat = ["json", "tlog-proof", "pdf"];
    /// The role in which a person decides: `RIDER` with a user id, `APPLICANT` without.
    UserType = [TypeOf::Rider, TypeOf::Applicant].map(TypeOf::as_str);
    /// How a person decided: by ticking the term itself, or all terms at once.
    ConsentMethod = [Method::Tick, Method::AgreeAll].map(Method::as_str);
    /// How it is known which document was shown: `presented` if the device named it, `inferred` from the
    /// language that it asked for, `imported` from another system.
    EvidenceKind = ["presented", "inferred", "imported"];
    /// What happened.
    EventType = EVENT_TYPES;
    /// What keeps a rider from working.
    GateReason = ["terms"];
    /// Why a webhook is disabled: it answered 410 (`gone`), ten tries failed, a person did it, or the store was
    /// restored from a backup.
    WebhookDisabledReason = ["gone", "failed", "person", "restored"];
    /// Whether a delivery is tried (again), was answered by 2xx, or is not tried any more.
    DeliveryStatus = ["waiting", "delivered", "failed"];
    /// What a person may do. All but `rider` and `worker` work in the console; `operator` is `support`, `legal`
    /// and `product` together.
    Role = RoleOf::ALL.map(RoleOf::as_str);
    /// How a person signed in: a one-time `code`, a `password`, a password and the digits of an authenticator
    /// (`password_otp`), the company's provider (`oidc`), a one-time `link`, the `command` line, or a `demo`.
    SignInMethod = MethodOf::ALL.map(MethodOf::as_str);
    /// Whether a version is in effect: `scheduled` for later, `active` now, `superseded` by a newer one,
    /// `cancelled` before it took effect, or `retired` with its document.
    TermStatus = TERM_STATUSES;
    /// What was found in a document.
    FindingKind = [
        "pages", "content", "picture", "graphic", "font", "form_field", "annotation", "note", "xfa",
        "letters", "javascript", "launch", "embedded_file", "submit_form", "import_data",
        "remote_file", "media",
    ];
    /// What follows from a finding: `missing` (the page images lack it) and `active` (active content)
    /// prevent publishing without a reason, `remark` does not.
    FindingConcern = ["missing", "active", "remark"];
    /// Why a receipt is not genuine: it cannot be read (`malformed`), its entry or its proof is wrong, it
    /// is another person's, or it is an applicant's although a user was named.
    ReceiptFault = ["malformed", "entry", "proof", "other_person", "applicant"];
    /// Whether the named user submitted it: `not_claimed` if none was named.
    SubjectCheck = ["matches", "not_claimed"];
    /// What happened.
    AuditEvent = musette_store::AUDIT_EVENTS;
    /// Who did it: a `person`, somebody at the command line (`command`), the company's identity
    /// `provider`, `anybody` (it needs no session), or the `program` by itself.
    AuditAgent = ["person", "command", "provider", "anybody", "program"];
    /// The database engine.
    EngineName = ["sqlite", "postgres"];
    /// How one-time codes are delivered. `log` writes them to the log in demos and tests, and sends
    /// nothing otherwise.
    DeliveryKind = ["log", "smtp", "webhook"];
    /// Which flags a key sees: a `client` key, which anybody can read, only client-visible ones.
    FlagKeyKind = ["client", "server"];
    /// The version of the flag service's API. Version 3 has every member.
    FlagApiVersion = ["v1", "v2", "v3"];
    /// The step of an evaluation that decided.
    ExplanationKind = [
        "OFF", "OVERRIDE", "PREREQUISITE_FAILED", "HOLDOUT", "TARGET", "RULE", "ROLLOUT", "AB_TEST",
        "DEFAULT", "ERROR",
    ];
    /// A person's group in a holdout: held out, measured beside them, or neither.
    HoldoutGroup = ["HELD_OUT", "COMPARISON", "GENERAL"];
    /// A group of a holdout whose people are counted.
    CountedHoldoutGroup = ["HELD_OUT", "COMPARISON"];
    /// What a person took part in.
    ParticipationEvent = ["ab_test.participated", "holdout_group.participated"];
    /// The reason of OFREP.
    OfrepReason = ["STATIC", "DEFAULT", "TARGETING_MATCH", "SPLIT", "DISABLED"];
    /// The error code of OFREP.
    OfrepErrorCode =
        ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL", "FLAG_NOT_FOUND"];
    /// The status of an experiment.
    ExperimentStatus = ["draft", "running", "stopped", "shipped"];
    /// What was decided about an experiment.
    ExperimentDecision = ["ship", "stop", "continue"];
    /// The status of a holdout. In `analysis` people are still held out, but nobody new is counted.
    HoldoutStatus = ["draft", "running", "analysis", "ended"];
    /// Which way is better.
    MetricDirection = ["increase", "decrease"];
    /// How the values of one person are combined: their sum, whether there is one, their mean, or the
    /// ratio of two metrics.
    MetricKind = ["sum", "conversion", "mean", "ratio"];
    /// What a metric decides: `goal`, what the change is made for; `guardrail`, what must not become
    /// worse; `secondary`, nothing.
    MetricRole = ["goal", "guardrail", "secondary"];
    /// The conclusion from a metric: `no_data`, too little of it; `not_yet`, no difference so far.
    ResultVerdict = ["no_data", "not_yet", "better", "worse"];
    /// Why no difference can be believed: the arms did not get their share of people, or too many people
    /// were exposed in several arms.
    ResultWarning = ["sample_ratio_mismatch", "multiple_exposures"];
    /// Who saved a version: a `person`, a `command`, or a `schedule` when a step or change was due.
    VersionActor = ["person", "command", "schedule"];
    /// What a version did to an object: `switched_on` and `switched_off` if nothing but the switch of a
    /// flag differs.
    ObjectChange = ["added", "removed", "changed", "switched_on", "switched_off"];
    /// What became of a change: `proposed` waits for somebody to apply it, `waiting` for its time.
    ChangeStatus = ["proposed", "waiting", "done", "cancelled", "refused"];
    /// What colleagues approve: drafts of `terms`, or changes of `flags`.
    ApprovalSubject = ["terms", "flags"];
    /// What a proposal is about: published `terms`, or the `rules` of approval.
    ProposalSubject = ["terms", "rules"];
    /// What a proposal does when it is applied.
    ProposedAct = [
        "retire_term", "cancel_term", "undo_retirement", "undo_cancellation", "reorder_terms", "replace_rules"
    ];
    /// What became of a proposal.
    ProposalStatus = PROPOSAL_STATUSES;
    /// Why a change was refused.
    ChangeRefusal = ["conflict", "approval_required"];
    /// A list of a configuration; `settings` for the members that are no lists.
    ConfigurationSection =
        ["attributes", "segments", "layers", "holdouts", "metrics", "flags", "settings"];
    /// The format of an export: `jsonl` has one JSON object per line, `dpv` ISO/IEC TS 27560 records in
    /// the Data Privacy Vocabulary.
    ExportFormat = ["csv", "jsonl", "dpv"];
    /// Which way is better for a metric that the configuration does not declare.
    ResultGoal = ["higher", "lower"];
    /// How values of a metric that the configuration does not declare are read.
    ResultMeasure = ["mean", "proportion"];
    /// The process is up.
    HealthStatus = ["ok"];
    /// The server is ready to serve.
    ReadyStatus = ["ready"];
}
