//! The closed sets of strings in the API, as `openapi.json` lists them. Where the program has such
//! a list, it is taken from there, so that the two cannot differ.

use std::borrow::Cow;

use musette_core::campaigns::{CampaignStatus as CampaignStatusOf, Channel as NoticeChannelOf};
use musette_core::decisions::Status as EvaluationStatusOf;
use musette_core::decisions::restrictions::table::RestrictionStatus as RestrictionStatusOf;
use musette_core::decisions::restrictions::{
    RestrictionKind as RestrictionKindOf, ReviewOutcome as ReviewOutcomeOf,
};
use musette_core::session::{Role as RoleOf, SignInMethod as MethodOf};
use musette_core::terms::{Method, Outcome, TermKind as KindOf, UserType as TypeOf};
use musette_store::EVENT_TYPES;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

/// The statuses of a published version.
pub const TERM_STATUSES: [&str; 5] = ["scheduled", "active", "superseded", "cancelled", "retired"];

/// Why a notice has not reached a rider.
pub const UNREACHED_REASONS: [&str; 6] =
    ["not_contacted", "no_text", "bounced", "restricted_channel", "no_address", "failed"];

/// The status of a person in a campaign.
pub const CAMPAIGN_PERSON_STATUSES: [&str; 7] =
    ["waiting", "served", "opened", "decided", "bounced", "failed", "skipped"];

/// The statuses of a proposal.
pub const PROPOSAL_STATUSES: [&str; 4] = ["proposed", "done", "cancelled", "refused"];

/// The roles, as error messages list them.
pub const ROLE_NAMES: &str = "rider, worker, viewer, representative, dispatcher, reviewer, support, legal, product, operator or admin; \
    viewer, representative, dispatcher, reviewer, support and legal can be limited to one market (legal@DE, with the code of an existing country or subdivision), product to one environment (product@staging)";

/// A role, optionally limited to one market or environment: `legal@DE`, `product@staging`.
pub enum RoleGrant {}

impl utoipa::PartialSchema for RoleGrant {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String);
        let description = "A role. After `@`, the one market (`viewer`, `representative`, `dispatcher`, `reviewer`, \
            `support`, `legal`) or environment (`product`) that it is limited to: `legal@DE`, `product@staging`.";
        object.description(Some(description)).pattern(Some(GRANT_PATTERN)).build().into()
    }
}

impl utoipa::ToSchema for RoleGrant {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("RoleGrant")
    }
}

const GRANT_PATTERN: &str = "^(rider|worker|viewer|representative|dispatcher|reviewer|support|legal|product|operator|admin)(@[A-Za-z0-9][A-Za-z0-9._-]*)?$";

macro_rules! closed_sets {
    ($($(#[doc = $doc:literal])+ $name:ident = $values:expr;)+) => {$(
        $(#[doc = $doc])+
        pub enum $name {}

        impl utoipa::PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema(concat!($($doc, "\n"),+), &$values[..])
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    )+};
}

fn schema(description: &str, values: &[&str]) -> RefOr<Schema> {
    let lines: Vec<&str> = description.lines().map(str::trim).collect();
    let object = ObjectBuilder::new().schema_type(Type::String);
    object
        .description(Some(lines.join("\n").trim()))
        .enum_values(Some(values.iter().copied()))
        .build()
        .into()
}

closed_sets! {
    /// The status of a campaign.
    CampaignStatus = CampaignStatusOf::ALL.map(CampaignStatusOf::as_str);
    /// The channel of a message: the list in the rider app, e-mail, the company's webhook by
    /// phone number (`sms`) or by user id (`webhook`), or web push.
    NoticeChannel = NoticeChannelOf::ALL.map(NoticeChannelOf::as_str);
    /// The result of a message: the receiving server or the app accepted it, its address was refused
    /// permanently (`bounced`), or it was not delivered for another reason (`failed`).
    NoticeOutcome = ["accepted", "bounced", "failed"];
    /// The status of a person in a campaign.
    CampaignPersonStatus = CAMPAIGN_PERSON_STATUSES;
    /// The reason why the text of a page may differ from its image: the page is a picture
    /// (`picture`), it has characters without a Unicode mapping (`letters`), the file has text that
    /// is not visible (`hidden`), the text misses visible words (`words`), or the reading order is
    /// uncertain (`order`).
    DocumentDoubtKind = musette_render::DoubtKind::ALL.map(musette_render::DoubtKind::code);
    /// The decision of a person: they agreed (`accepted`), did not agree (`declined`), or ended a consent
    /// that they had given before (`withdrawn`).
    DecisionOutcome = Outcome::ALL.map(Outcome::as_str);
    /// The latest decision of a rider who has not accepted a term: none (`pending`), `declined` or
    /// `withdrawn`.
    MissingDecision = ["pending", "declined", "withdrawn"];
    /// The kind of an automated system: it supervises or evaluates work (`monitoring`), or it makes
    /// or supports decisions about people (`decision`).
    SystemKind = ["monitoring", "decision"];
    /// The weight of a parameter of an automated system: one of the main parameters (`main`), or
    /// any other (`secondary`).
    ParameterWeight = ["main", "secondary"];
    /// The format of a receipt: JSON, the C2SP proof alone, or a PDF certificate.
    ReceiptFormat = ["json", "tlog-proof", "pdf"];
    /// The role in which a person decides: `RIDER` with a user ID, `APPLICANT` without one.
    UserType = [TypeOf::Rider, TypeOf::Applicant].map(TypeOf::as_str);
    /// The way in which a person decided: by ticking the term itself, or by ticking all terms at
    /// once.
    ConsentMethod = [Method::Tick, Method::AgreeAll].map(Method::as_str);
    /// The source of the information which document was shown: `presented` if the device sent its
    /// hash, `inferred` from the language of the request, `imported` from another system.
    EvidenceKind = ["presented", "inferred", "imported"];
    /// The status of an evaluation: `PENDING` until it is evaluated, `EVALUATED`, `NO_SHOW` if the
    /// rider did not appear, `IN_DISCUSSION` while it is contested, `ACCEPTED`, or `REJECTED` by a
    /// person.
    EvaluationStatus = EvaluationStatusOf::ALL.map(EvaluationStatusOf::as_str);
    /// The status of an excusal: `scheduled` until its time, `applying`, `applied`, or `cancelled`.
    ExcusalStatus = ["scheduled", "applying", "applied", "cancelled"];
    /// The format of a report.
    ReportFormat = ["json", "csv"];
    /// The kind of work.
    WorkKind = ["shift", "order", "period", "other"];
    /// The actor of a transition: a `service` key, a colleague (`human`), the `rider`, or the program
    /// because the time to contest has passed (`lapse`).
    DecidedByKind = ["service", "human", "rider", "lapse"];
    /// The role of a colleague who made a transition.
    DecidingRole = ["dispatcher", "reviewer"];
    /// A side of a discussion.
    DiscussionSide = ["rider", "reviewer"];
    /// The kind of a restriction: it is only shown (`limitation`), the rider may not work until it
    /// ends (`suspension`), or may not work any more (`termination`).
    RestrictionKind = RestrictionKindOf::ALL.map(RestrictionKindOf::as_str);
    /// The status of a restriction: `PROPOSED` until a reviewer decides, `DISMISSED`, `IMPOSED`,
    /// `LIFTED` by a reviewer, or `EXPIRED` after its end.
    RestrictionStatus = RestrictionStatusOf::ALL.map(RestrictionStatusOf::as_str);
    /// The decision about a proposed restriction.
    ProposalEffect = ["impose", "dismiss"];
    /// The outcome of a review: the restriction remains (`upheld`), ends earlier (`changed`), or
    /// ends now (`lifted`).
    ReviewOutcome = ReviewOutcomeOf::ALL.map(ReviewOutcomeOf::as_str);
    /// The type of an event.
    EventType = EVENT_TYPES;
    /// The reason why a rider may not work.
    GateReason = ["terms", "restriction"];
    /// The reason why a webhook is disabled: it answered 410 (`gone`), 10 attempts of a delivery
    /// failed (`failed`), an admin disabled it (`person`), or the database was restored from a
    /// backup (`restored`).
    WebhookDisabledReason = ["gone", "failed", "person", "restored"];
    /// The status of a delivery: `waiting` for its first or next attempt, `delivered` (answered
    /// with 2xx), or `failed` (not attempted again).
    DeliveryStatus = ["waiting", "delivered", "failed"];
    /// A role of a person. All but `rider` and `worker` have access to the console. `operator`
    /// combines `support`, `legal` and `product`.
    Role = RoleOf::ALL.map(RoleOf::as_str);
    /// The method by which a person signed in: a one-time `code`, a `password`, a password and an
    /// authenticator code (`password_otp`), the company's OpenID Connect provider (`oidc`), a
    /// one-time `link`, the `command` line, or a `demo`.
    SignInMethod = MethodOf::ALL.map(MethodOf::as_str);
    /// The status of a term version: `scheduled` for later, `active` now, `superseded` by a newer
    /// version, `cancelled` before it took effect, or `retired` with its document.
    TermStatus = TERM_STATUSES;
    /// The reason why a notice has not reached a rider: no message was sent to them
    /// (`not_contacted`), a campaign skipped them (`no_text`, `restricted_channel`, `no_address`),
    /// their address was refused permanently (`bounced`), or the message was not delivered for
    /// another reason (`failed`).
    UnreachedReason = UNREACHED_REASONS;
    /// The kind of a text: a `consent`, on which people decide, or a `notice`, of which they are only
    /// informed.
    TermKind = KindOf::ALL.map(KindOf::as_str);
    /// The kind of a finding in a document.
    FindingKind = [
        "pages", "content", "picture", "graphic", "font", "form_field", "annotation", "note", "xfa",
        "letters", "javascript", "launch", "embedded_file", "submit_form", "import_data",
        "remote_file", "media",
    ];
    /// The consequence of a finding. `missing` (the page images lack something) and `active`
    /// (active content) prevent publishing unless a reason is given; `remark` does not.
    FindingConcern = ["missing", "active", "remark"];
    /// The reason why a receipt is not genuine: it cannot be parsed (`malformed`), its entry
    /// (`entry`) or its proof (`proof`) is wrong, it belongs to another person (`other_person`), or
    /// it is an applicant's although a user was named (`applicant`).
    ReceiptCheckError = ["malformed", "entry", "proof", "other_person", "applicant"];
    /// The result of comparing the receipt with the named user: `matches`, or `not_claimed` if no
    /// user was named.
    SubjectCheck = ["matches", "not_claimed"];
    /// The type of an audit entry.
    AuditEvent = musette_store::AUDIT_EVENTS;
    /// The kind of actor: a `person` with a session, the `command` line, the company's identity
    /// `provider`, `anybody` (the action needs no session), or the `program` itself.
    AuditAgent = ["person", "command", "provider", "anybody", "program"];
    /// The database engine.
    EngineName = ["sqlite", "postgres"];
    /// The delivery method of one-time codes. `log` writes them to the server log in demos and
    /// tests; otherwise `log` delivers nothing.
    DeliveryKind = ["log", "smtp", "webhook"];
    /// The kind of a flag key. A `client` key is public and sees client-visible flags only; a
    /// `server` key sees all flags.
    FlagKeyKind = ["client", "server"];
    /// The version of the flag API. Version 3 has every member.
    FlagApiVersion = ["v1", "v2", "v3"];
    /// The step of the evaluation that decided the result.
    ExplanationKind = [
        "OFF", "OVERRIDE", "PREREQUISITE_FAILED", "HOLDOUT", "TARGET", "RULE", "ROLLOUT", "AB_TEST",
        "DEFAULT", "ERROR",
    ];
    /// A person's group in a holdout: held out, in the comparison group, or in neither.
    HoldoutGroup = ["HELD_OUT", "COMPARISON", "GENERAL"];
    /// A holdout group whose members are counted.
    CountedHoldoutGroup = ["HELD_OUT", "COMPARISON"];
    /// The kind of a participation.
    ParticipationEvent = ["ab_test.participated", "holdout_group.participated"];
    /// The reason of a result, as OFREP defines it.
    OfrepReason = ["STATIC", "DEFAULT", "TARGETING_MATCH", "SPLIT", "DISABLED"];
    /// The error code of a result, as OFREP defines it.
    OfrepErrorCode =
        ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL", "FLAG_NOT_FOUND"];
    /// The status of an experiment.
    ExperimentStatus = ["draft", "running", "stopped", "shipped"];
    /// The decision on an experiment.
    ExperimentDecision = ["ship", "stop", "continue"];
    /// The status of a holdout. In `analysis`, people stay held out, but no new people are counted.
    HoldoutStatus = ["draft", "running", "analysis", "ended"];
    /// The direction that is better.
    MetricDirection = ["increase", "decrease"];
    /// The way in which the values of one person are combined: their sum (`sum`), whether the sum
    /// is above 0 (`conversion`), their mean (`mean`), or the ratio of two metrics (`ratio`).
    MetricKind = ["sum", "conversion", "mean", "ratio"];
    /// The role of a metric in the decision: `goal` (the change should improve it), `guardrail`
    /// (the change must not worsen it), or `secondary` (shown only).
    MetricRole = ["goal", "guardrail", "secondary"];
    /// The conclusion from a metric: `no_data` (too few values), `not_yet` (no significant
    /// difference so far), `better` or `worse`.
    ResultVerdict = ["no_data", "not_yet", "better", "worse"];
    /// The reason why differences cannot be trusted: the weights changed within the phase
    /// (`weights_changed`), the arms did not get their expected share of people
    /// (`sample_ratio_mismatch`), or too many people were exposed in several arms
    /// (`multiple_exposures`).
    ResultWarning = ["weights_changed", "sample_ratio_mismatch", "multiple_exposures"];
    /// The actor who saved a version: a `person`, the `command` line, or the `schedule` when a step
    /// or change was due.
    VersionActor = ["person", "command", "schedule"];
    /// The change of an object in a version. `switched_on` and `switched_off`: only the switch of a
    /// flag differs.
    ObjectChange = ["added", "removed", "changed", "switched_on", "switched_off"];
    /// The status of a scheduled change: `proposed` until a reviewer applies it, `waiting` for its
    /// time, `done`, `cancelled` or `refused`.
    ChangeStatus = ["proposed", "waiting", "done", "cancelled", "refused"];
    /// The subject of an approval: drafts of `terms`, or changes of `flags`.
    ApprovalSubject = ["terms", "flags", "restrictions"];
    /// The subject of a proposal: published `terms`, or the approval `rules`.
    ProposalSubject = ["terms", "rules"];
    /// The action that a proposal performs when it is applied.
    ProposedAct = [
        "retire_term", "cancel_term", "undo_retirement", "undo_cancellation", "reorder_terms", "replace_rules"
    ];
    /// The status of a proposal.
    ProposalStatus = PROPOSAL_STATUSES;
    /// The reason why a change was not applied.
    ChangeRefusal = ["conflict", "approval_required"];
    /// A section of a configuration: one of its lists, or `settings` for the other members.
    ConfigurationSection =
        ["attributes", "segments", "layers", "holdouts", "metrics", "flags", "settings"];
    /// The format of an export: CSV, `jsonl` with one JSON object per line, or `dpv` with ISO/IEC
    /// TS 27560 records in the Data Privacy Vocabulary.
    ExportFormat = ["csv", "jsonl", "dpv"];
    /// The direction that is better, for a metric that the configuration does not declare.
    ResultGoal = ["higher", "lower"];
    /// The interpretation of the values of a metric that the configuration does not declare.
    ResultMeasure = ["mean", "proportion"];
    /// The process is running.
    HealthStatus = ["ok"];
    /// The server is ready for requests.
    ReadyStatus = ["ready"];
}
