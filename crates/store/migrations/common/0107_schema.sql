-- The tables of both engines. Portable types: BIGINT (milliseconds since 1970 for instants), TEXT, BOOLEAN, BYTEA. The
-- program creates every id. The folders of the engines add the triggers that keep evidence append-only.
-- This file replaces the migrations up to 0106. Stores that those migrations created skip it.

-- Secrets of the server, by name.
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Change numbers. Every change that running servers must load increments one of them: 1 everything else, 2 ended
-- sessions, 3 flags.
CREATE TABLE revision (
    id BIGINT NOT NULL PRIMARY KEY,
    n BIGINT NOT NULL
);
INSERT INTO revision (id, n) VALUES (1, 1), (2, 1), (3, 1);

-- The running servers and the change numbers that each of them serves.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    flags BIGINT NOT NULL DEFAULT 9223372036854775807
);

-- The number of published terms, whose row is also the lock for publishing.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('term', 0);

-- The published PDFs.
CREATE TABLE documents (
    sha256 TEXT NOT NULL PRIMARY KEY,
    pages BIGINT NOT NULL,
    bytes BYTEA NOT NULL
);

-- Files that publishing derives from a document: page images, text, manifest.
CREATE TABLE document_parts (
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (sha256, name)
);

-- Published versions of terms.
CREATE TABLE terms (
    id BIGINT NOT NULL PRIMARY KEY,
    -- The type, such as FREELANCER.
    kind TEXT NOT NULL,
    version BIGINT NOT NULL,
    mandatory BOOLEAN NOT NULL,
    display_order BIGINT NOT NULL,
    effective_from BIGINT NOT NULL,
    grace_until BIGINT,
    replaces BIGINT UNIQUE REFERENCES terms (id),
    material BOOLEAN NOT NULL,
    -- Summary of the changes, for languages that have none.
    summary TEXT,
    published_at BIGINT NOT NULL,
    -- The version name in the document, such as 1.1.
    label TEXT,
    -- The market in which the term applies; NULL: everywhere.
    market TEXT,
    -- Any version of the broader text that this one replaces in its market.
    instead_of BIGINT REFERENCES terms (id)
);

-- The languages of a term.
CREATE TABLE term_variants (
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- 0 is the default language.
    position BIGINT NOT NULL,
    locale TEXT NOT NULL,
    title TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    -- Summary of the changes in this language.
    summary TEXT,
    PRIMARY KEY (term_id, locale)
);

-- Display positions that differ from those of the publication. They are no part of what users agree to.
CREATE TABLE term_order (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    position BIGINT NOT NULL
);

-- Scheduled versions that were cancelled and documents that are retired. Undoing deletes the row; the log has an entry
-- of both.
CREATE TABLE term_endings (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    ending TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- Times at which a published term changes state without a request, and whose event is not written yet.
CREATE TABLE term_turns (
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- effective or grace_ended.
    turn TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (term_id, turn)
);

-- Drafts of terms as JSON. Publishing deletes a draft.
CREATE TABLE term_drafts (
    id TEXT NOT NULL PRIMARY KEY,
    -- Each change increments it; a save with an older revision is refused.
    revision BIGINT NOT NULL,
    body TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Subject of the last author.
    updated_by TEXT,
    -- The market by which drafts are listed; NULL: everywhere.
    market TEXT
);

-- All authors of a draft. None of them may approve it.
CREATE TABLE draft_editors (
    draft TEXT NOT NULL,
    -- Subject of the author.
    editor TEXT NOT NULL,
    PRIMARY KEY (draft, editor)
);

-- Pseudonyms of people. Evidence refers to a subject; erasing a person deletes the row with its key.
CREATE TABLE subjects (
    ref TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL
);

-- The references of deleted subjects. Without them a lost row would look like an erased one.
CREATE TABLE erasures (
    ref TEXT NOT NULL PRIMARY KEY
);

-- Riders, workers and console users.
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE REFERENCES subjects (ref),
    name TEXT,
    email TEXT UNIQUE,
    phone TEXT UNIQUE,
    password_hash TEXT,
    created_at BIGINT NOT NULL,
    -- From then on a sign-in by password needs a second factor; NULL: not set yet.
    second_factor_due BIGINT,
    market TEXT,
    -- The language for messages (BCP 47).
    locale TEXT
);
CREATE INDEX users_of_market ON users (market) WHERE market IS NOT NULL;

CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    PRIMARY KEY (user_id, role)
);
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);

-- Names of markets, and markets that the company defines itself.
CREATE TABLE markets (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    timezone TEXT
);

-- Accounts at an OpenID Connect provider. The link is permanent: the provider may later give the e-mail address to
-- another person, who must not get this account.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Sessions. No index has a column that a refresh changes.
CREATE TABLE sessions (
    sid TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    salt TEXT NOT NULL,
    generation BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    idle_until BIGINT NOT NULL,
    absolute_until BIGINT NOT NULL,
    ended_at BIGINT,
    ended_because TEXT,
    rotated_at BIGINT,
    -- The newest generation that the client has used, and when it first did.
    acked_generation BIGINT NOT NULL DEFAULT -1,
    acked_at BIGINT,
    -- How often the previous token was accepted since the rotation.
    repeats BIGINT NOT NULL DEFAULT 0,
    -- Keyed hash of the client that rotated to the current generation.
    instance TEXT,
    device TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sessions_of_user ON sessions (user_id);

-- Keys that sign access tokens.
CREATE TABLE signing_keys (
    kid TEXT NOT NULL PRIMARY KEY,
    seed TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The key is published before this time and signs from it on.
    signs_from BIGINT NOT NULL,
    -- Expiry of the last token that was issued for longer than usual.
    last_exp BIGINT NOT NULL DEFAULT 0
);

-- One-time codes. Identifier, network and code are keyed hashes. A row for an unknown identifier looks the same.
CREATE TABLE codes (
    identifier TEXT NOT NULL,
    network TEXT NOT NULL,
    hash TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    tries BIGINT NOT NULL,
    tries_elsewhere BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- Keyed hash of the secret of the requesting browser, whose guesses are counted separately.
    proof TEXT,
    PRIMARY KEY (identifier, network)
);
CREATE INDEX codes_by_age ON codes (expires_at);

-- One-time codes that were sent in an hour (since 1970), and the last failure. It names no person.
CREATE TABLE code_deliveries (
    hour BIGINT NOT NULL PRIMARY KEY,
    sent BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    failed_at BIGINT,
    reason TEXT
);

CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);

-- Secrets of authenticator apps.
CREATE TABLE totp (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    -- A code is accepted once.
    last_step BIGINT NOT NULL,
    -- Recently used steps, newest first: |9|7|. They are refused even after the clock was set back.
    used_steps TEXT
);

-- Theoretical arrival times (GCRA) of rate limits, which hold on all nodes and after a restart.
CREATE TABLE throttles (
    key TEXT NOT NULL PRIMARY KEY,
    arrival BIGINT NOT NULL
);
CREATE INDEX throttles_by_age ON throttles (arrival);

-- Times of recent messages to one recipient, for limits per hour and day.
CREATE TABLE allowances (
    key TEXT NOT NULL PRIMARY KEY,
    taken TEXT NOT NULL,
    forget_at BIGINT NOT NULL
);
CREATE INDEX allowances_by_age ON allowances (forget_at);

-- Browsers in which a user has signed in: a keyed hash of the browser's secret and the user.
CREATE TABLE known_browsers (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seen_at BIGINT NOT NULL
);
CREATE INDEX known_browsers_of_user ON known_browsers (user_id, seen_at);
CREATE INDEX known_browsers_by_age ON known_browsers (seen_at);

-- Redirects from the OpenID Connect provider that were used: each is accepted once.
CREATE TABLE oidc_returns (
    hash TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX oidc_returns_by_age ON oidc_returns (expires_at);

-- Keys of the company's other programs.
CREATE TABLE service_keys (
    -- UUIDv7, which is not secret.
    id TEXT NOT NULL PRIMARY KEY,
    -- The name in the audit log.
    name TEXT NOT NULL,
    -- Roles, separated by spaces.
    roles TEXT NOT NULL,
    -- SHA-256 of the key in lower-case hex.
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    -- Rounded to the hour.
    last_used_at BIGINT,
    -- Subject of the admin who created the key, who may not approve what the key writes; NULL: a command.
    made_by TEXT
);

-- The audit log. It refers to subjects, so erasing a person leaves no personal data in it.
CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT,
    sid TEXT,
    detail TEXT,
    -- Subject of the actor, if that is another person.
    actor TEXT
);
CREATE INDEX audit_of_subject ON audit (subject);
CREATE INDEX audit_by_time ON audit (at);
-- The id gives the order of a page, also on PostgreSQL before it has statistics.
CREATE INDEX audit_of_event ON audit (event, at, id);
CREATE INDEX audit_of_actor ON audit (actor);

-- Events that a client can cause without a session, such as a wrong code, counted by the hour (since 1970). A row for
-- each would let a client fill the disk. An unknown subject is ''.
CREATE TABLE audit_counts (
    hour BIGINT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Time of the first event.
    at BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (hour, event, subject, detail)
);
CREATE INDEX audit_counts_by_time ON audit_counts (at);
CREATE INDEX audit_counts_of_event ON audit_counts (event, at);
CREATE INDEX audit_counts_of_subject ON audit_counts (subject, at);

-- One row: updating it is the lock that gives all submissions of all nodes one order.
CREATE TABLE submission_head (
    id BIGINT NOT NULL PRIMARY KEY,
    next_seq BIGINT NOT NULL
);
INSERT INTO submission_head (id, next_seq) VALUES (1, 0);

CREATE TABLE submissions (
    seq BIGINT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- The subject whose decisions these are: that of a rider, or that of an applicant's first submission, which later
    -- ones with its receipt continue.
    person TEXT NOT NULL,
    user_type TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    locale TEXT,
    app TEXT,
    -- The person's market at the time, which the log has too.
    market TEXT
);

-- Applicants who became riders: the applicant's decisions now belong to the rider.
CREATE TABLE claims (
    person TEXT NOT NULL PRIMARY KEY,
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    subject TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX claims_of_subject ON claims (subject);

CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    submission BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- When a term was shown to a person before a decision, and when its document was opened. For statistics, no part of the
-- evidence; deleted with the person.
CREATE TABLE term_views (
    subject TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    shown_at BIGINT NOT NULL,
    opened_at BIGINT,
    PRIMARY KEY (subject, term_id)
);
CREATE INDEX term_views_of_term ON term_views (term_id, shown_at);

-- Evidence logs. A restored store starts a new log; earlier ones remain, so that their receipts can be proved.
CREATE TABLE logs (
    -- Milliseconds since 1970 at its start. The newest is in use.
    id BIGINT NOT NULL PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    vkey TEXT NOT NULL
);

-- One row: the log that this store signs, and the key. No backup contains it, because two stores that sign one log would
-- fork it.
CREATE TABLE log_key (
    id BIGINT NOT NULL PRIMARY KEY,
    log BIGINT NOT NULL,
    seed TEXT NOT NULL
);

CREATE TABLE log_entries (
    log BIGINT NOT NULL REFERENCES logs (id),
    idx BIGINT NOT NULL,
    -- The submission that the entry records, or the person whose claim it records.
    submission BIGINT UNIQUE REFERENCES submissions (seq),
    claim TEXT REFERENCES claims (person),
    entry TEXT NOT NULL,
    -- The type of an entry of neither.
    event TEXT,
    -- The id of the published term that the entry records.
    term BIGINT,
    PRIMARY KEY (log, idx)
);
-- Few entries record a claim, so an index of the others would only cost time.
CREATE UNIQUE INDEX log_entries_of_claim ON log_entries (claim) WHERE claim IS NOT NULL;
CREATE INDEX log_entries_of_event ON log_entries (event, log, idx) WHERE event IS NOT NULL;
CREATE UNIQUE INDEX log_entries_of_term ON log_entries (term) WHERE term IS NOT NULL;

-- A full tile never changes; the last one of each level only grows.
CREATE TABLE log_tiles (
    log BIGINT NOT NULL REFERENCES logs (id),
    level BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    width BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (log, level, idx)
);

-- All signed checkpoints, so that each receipt can be written again unchanged.
CREATE TABLE log_heads (
    log BIGINT NOT NULL REFERENCES logs (id),
    size BIGINT NOT NULL,
    -- Size of the previous checkpoint, so that a missing row is detected; -1 for the first.
    previous BIGINT NOT NULL,
    checkpoint TEXT NOT NULL,
    PRIMARY KEY (log, size)
);

-- Digests of content that log entries name but do not contain: terms, and documents with their pages.
CREATE TABLE seals (
    name TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL
);

-- The order of the rows of `audit` and `flag_versions` in their running hashes, which the log records from time to time.
CREATE TABLE chain_links (
    history TEXT NOT NULL,
    item TEXT NOT NULL,
    n BIGINT NOT NULL,
    -- NULL: not in the hash yet.
    place BIGINT,
    PRIMARY KEY (history, item, n)
);
CREATE UNIQUE INDEX chain_links_by_place ON chain_links (history, place);

-- One row: the result of the last verification of the log. It is no part of the evidence.
CREATE TABLE log_verified (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    faults BIGINT NOT NULL
);

-- One row: the address of the server that started last. No backup contains it, because a copy has another address.
CREATE TABLE served_at (
    id BIGINT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    -- The newest time that a server saw. A start with an earlier clock is detected by it.
    newest_at BIGINT
);

-- The state of a store that is being moved to another database: leaving, arriving or moved. No row: it is not moved.
CREATE TABLE moves (
    id BIGINT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    -- Identifies the attempt.
    token TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- Environments of flags. Updating a row is the lock for saving a configuration.
CREATE TABLE flag_environments (
    name TEXT NOT NULL PRIMARY KEY,
    -- The current version of the configuration; 0: none was saved.
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    archived_at BIGINT
);

-- Configurations of flags, one document for each version.
CREATE TABLE flag_versions (
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    version BIGINT NOT NULL,
    document TEXT NOT NULL,
    -- Subject of the author; NULL: a command or a scheduled step.
    author TEXT,
    comment TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (environment, version)
);
CREATE INDEX flag_versions_by_time ON flag_versions (environment, created_at);

-- The changes of each version, so that the history is listed and searched without the documents. It is derived from
-- them: a version without rows gets them later.
CREATE TABLE flag_version_objects (
    environment TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- A list of the document, or settings; empty in the one row of a version that changed nothing.
    section TEXT NOT NULL,
    key TEXT NOT NULL,
    -- added, removed, changed, switched_on, switched_off or nothing.
    change TEXT NOT NULL,
    -- Names of the members that differ, separated by spaces.
    fields TEXT NOT NULL,
    PRIMARY KEY (environment, version, section, key),
    FOREIGN KEY (environment, version) REFERENCES flag_versions (environment, version)
);

-- Keys of the flag API.
CREATE TABLE flag_keys (
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    kind TEXT NOT NULL,
    debug BOOLEAN NOT NULL,
    name TEXT,
    -- SHA-256 of the key.
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX flag_keys_of_environment ON flag_keys (environment);

-- Scheduled changes of a configuration.
CREATE TABLE flag_changes (
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    at BIGINT NOT NULL,
    -- The version that the document was edited from; the change is the difference between the two.
    base BIGINT NOT NULL,
    document TEXT NOT NULL,
    author TEXT,
    comment TEXT,
    created_at BIGINT NOT NULL,
    -- waiting, done, cancelled or refused.
    status TEXT NOT NULL,
    settled_at BIGINT,
    -- The resulting version, or the reason why there is none.
    version BIGINT,
    refusal TEXT
);
CREATE INDEX flag_changes_of_environment ON flag_changes (environment, id);
CREATE INDEX flag_changes_by_status ON flag_changes (status, at);

-- Number of evaluations of a flag by variation and day (since 1970, UTC).
CREATE TABLE flag_usage (
    environment TEXT NOT NULL,
    flag TEXT NOT NULL,
    day BIGINT NOT NULL,
    variation TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (environment, flag, day, variation)
);
CREATE INDEX flag_usage_by_day ON flag_usage (day);

-- What exposures and values are counted by: a variation of an experiment or a group of a holdout in one phase, or a
-- metric. The id is a hash of the other columns, so that all nodes compute the same one.
CREATE TABLE series (
    id BIGINT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    phase BIGINT NOT NULL,
    arm TEXT NOT NULL
);
CREATE INDEX series_by_name ON series (environment, kind, name);

-- Exposures of people to a variation.
CREATE TABLE exposures (
    -- Hash of the event's id: a repeated event has the same one.
    id BYTEA NOT NULL PRIMARY KEY,
    series BIGINT NOT NULL,
    -- Keyed hash of the person.
    unit BYTEA NOT NULL,
    at BIGINT NOT NULL,
    -- Day of arrival (since 1970), by which rows expire.
    day BIGINT NOT NULL
);
CREATE INDEX exposures_of_series ON exposures (series, unit, at);
CREATE INDEX exposures_by_day ON exposures (day);

-- Values of metrics.
CREATE TABLE metric_values (
    id BYTEA NOT NULL PRIMARY KEY,
    series BIGINT NOT NULL,
    unit BYTEA NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT NOT NULL
);
CREATE INDEX metric_values_of_series ON metric_values (series, unit, at, value);
CREATE INDEX metric_values_by_day ON metric_values (day);

-- One row: updating it is the lock that gives all assignments of all nodes one order, so that a reader that follows
-- them by number misses none.
CREATE TABLE sticky_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL
);
INSERT INTO sticky_head (id, seq) VALUES (1, 0);

-- Sticky assignments: the variation that an experiment continues to serve to a person.
CREATE TABLE sticky (
    seq BIGINT NOT NULL,
    environment TEXT NOT NULL,
    experiment TEXT NOT NULL,
    -- Keyed hash of the person.
    unit BYTEA NOT NULL,
    variation TEXT NOT NULL,
    bucket_version BIGINT NOT NULL,
    assigned_at BIGINT NOT NULL,
    PRIMARY KEY (environment, experiment, unit)
);
CREATE INDEX sticky_by_seq ON sticky (seq);

-- Tickets that have opened an event stream. Each opens one, on any node.
CREATE TABLE used_tickets (
    nonce TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tickets_by_age ON used_tickets (expires_at);

-- Decisions about experiments: author, reason, and the results at that time.
CREATE TABLE experiment_decisions (
    -- UUIDv7.
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL,
    experiment TEXT NOT NULL,
    phase BIGINT NOT NULL,
    -- ship, stop or continue.
    decision TEXT NOT NULL,
    variation TEXT,
    reason TEXT NOT NULL,
    -- The results as JSON.
    shown TEXT NOT NULL,
    -- Subject of the author.
    author TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX experiment_decisions_of ON experiment_decisions (environment, experiment, id);

-- Required numbers of approvals. The most specific rule applies.
CREATE TABLE approval_rules (
    -- terms or flags.
    kind TEXT NOT NULL,
    -- A type of terms, an environment, or *.
    scope TEXT NOT NULL,
    approvals BIGINT NOT NULL,
    PRIMARY KEY (kind, scope)
);

-- Approvals of a draft of terms or a change of flags in one state.
CREATE TABLE approvals (
    -- terms or flags.
    kind TEXT NOT NULL,
    -- Id of the draft or change.
    object TEXT NOT NULL,
    -- Subject of the approver.
    approver TEXT NOT NULL,
    -- Hash of the approved content in lower-case hex; empty if it was sent back.
    sha256 TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- The reason for sending it back.
    comment TEXT,
    PRIMARY KEY (kind, object, approver)
);

-- Messages about an object that waits for approval or was sent back. One row for each object and recipient.
CREATE TABLE approval_notices (
    -- asked or returned.
    purpose TEXT NOT NULL,
    -- terms or flags, and the id of the draft or change.
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    user_id TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    -- When a node sends it, or takes over from a node that did not finish; NULL: settled.
    next_at BIGINT,
    tries BIGINT NOT NULL,
    -- NULL: it was not sent.
    sent_at BIGINT,
    PRIMARY KEY (purpose, kind, object, user_id)
);
CREATE INDEX approval_notices_due ON approval_notices (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX approval_notices_of ON approval_notices (user_id, sent_at);

-- The outbox: events, written in the transaction of the change. Only the column `user_id` names a person, never `data`,
-- so that erasing a person deletes it.
CREATE TABLE outbox (
    seq BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    -- A JSON object.
    data TEXT NOT NULL,
    -- The trace (`traceparent`) of the request that caused the event; only while traces are on.
    trace TEXT
);
-- For erasing a person, and for the copy of their data.
CREATE INDEX outbox_user ON outbox (user_id) WHERE user_id IS NOT NULL;

-- One row: the number of the last event, and of the last one that was deleted.
CREATE TABLE outbox_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL,
    forgotten BIGINT NOT NULL
);
INSERT INTO outbox_head (id, seq, forgotten) VALUES (1, 0, 0);

-- Addresses to which events are sent.
CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    description TEXT,
    -- Types of events, separated by spaces.
    types TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Events up to this number have their deliveries.
    position BIGINT NOT NULL,
    disabled_at BIGINT,
    -- gone (410), failed, person or restored.
    disabled_because TEXT
);

-- Signing secrets. A replaced secret continues to sign until a time.
CREATE TABLE webhook_secrets (
    id TEXT NOT NULL PRIMARY KEY,
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    secret TEXT NOT NULL,
    until BIGINT
);

-- One row for each event and webhook.
CREATE TABLE webhook_deliveries (
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- waiting, delivered or failed.
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    -- A node sends it until then; after a crash another node does.
    leased_until BIGINT NOT NULL,
    attempted_at BIGINT,
    response_status BIGINT,
    error TEXT,
    PRIMARY KEY (webhook, seq)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_at, seq) WHERE status = 'waiting';
-- The age of the oldest waiting delivery is measured every second.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (webhook, seq) WHERE status = 'waiting';

-- The gate feed: which riders may work. It has one row from the first read on.
CREATE TABLE gate_head (
    id BIGINT NOT NULL PRIMARY KEY,
    -- Random, so that a cursor of another store, or of an earlier feed, is rejected.
    epoch TEXT NOT NULL,
    -- The number of the last change.
    seq BIGINT NOT NULL,
    -- Events of the outbox up to this number are applied.
    position BIGINT NOT NULL,
    -- The revision of the published terms that all states reflect once the sweep has ended.
    revision BIGINT NOT NULL,
    terms_sha256 TEXT NOT NULL,
    -- The last rider that the sweep over all riders has processed; NULL: it has ended.
    swept TEXT,
    -- False until the first sweep has ended.
    is_filled BOOLEAN NOT NULL,
    -- Erased people up to this change are no longer listed.
    gone BIGINT NOT NULL
);

CREATE TABLE gate_states (
    user_id TEXT NOT NULL PRIMARY KEY,
    market TEXT,
    may_work BOOLEAN NOT NULL,
    -- Ids of terms, a JSON array.
    reasons TEXT NOT NULL,
    changes_at BIGINT,
    -- The change that wrote the row; 0: the state at the start of the feed.
    seq BIGINT NOT NULL
);
CREATE INDEX gate_states_changed ON gate_states (seq) WHERE seq > 0;
CREATE INDEX gate_states_due ON gate_states (changes_at) WHERE changes_at IS NOT NULL;

-- People who left a market, or are no longer riders. No market is ''.
CREATE TABLE gate_left (
    user_id TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (user_id, market)
);
CREATE INDEX gate_left_changed ON gate_left (seq);

-- Hashes of erased people for 24 hours, by the markets whose readers had them.
CREATE TABLE gate_erased (
    user_id_sha256 TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (seq, market)
);
