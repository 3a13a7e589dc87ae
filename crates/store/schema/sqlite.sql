-- The tables of a new store. Generated from the migrations, which create them:
-- UPDATE=1 tools/with-postgres cargo test -p musette-store --lib schema

-- Times of recent messages to one recipient, for limits per hour and day.
CREATE TABLE allowances (
    key TEXT NOT NULL PRIMARY KEY,
    taken TEXT NOT NULL,
    forget_at BIGINT NOT NULL
);
CREATE INDEX allowances_by_age ON allowances (forget_at);

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
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_of_actor ON audit (actor);
CREATE INDEX audit_of_event ON audit (event, at, id);
CREATE INDEX audit_of_subject ON audit (subject);
CREATE TRIGGER audit_linked AFTER INSERT ON audit
BEGIN INSERT OR IGNORE INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;

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

-- Passes over all riders, each of which prepares the messages of a step. Steps that were due before the start share one.
CREATE TABLE campaign_passes (
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    number BIGINT NOT NULL,
    -- Indexes of the steps, the latest first, separated by blanks.
    steps TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    -- Subject of the last rider whose messages were prepared.
    position TEXT NOT NULL,
    prepared_at BIGINT,
    PRIMARY KEY (campaign, number)
);

-- Campaigns: messages that inform riders about a term or a notice.
CREATE TABLE campaigns (
    id TEXT NOT NULL PRIMARY KEY,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    market TEXT,
    -- Steps and texts, a JSON object.
    body TEXT NOT NULL,
    -- draft, running, paused, finished or cancelled.
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Subject of the author.
    created_by TEXT,
    started_at BIGINT,
    ended_at BIGINT
);
CREATE INDEX campaigns_running ON campaigns (id) WHERE status = 'running';

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
CREATE TRIGGER chain_links_no_delete BEFORE DELETE ON chain_links
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links
WHEN OLD.place IS NOT NULL OR NEW.history <> OLD.history OR NEW.item <> OLD.item OR NEW.n <> OLD.n
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;

-- Applicants who became riders: the applicant's decisions now belong to the rider.
CREATE TABLE claims (
    person TEXT NOT NULL PRIMARY KEY,
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    subject TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX claims_of_subject ON claims (subject);
CREATE TRIGGER claims_no_delete BEFORE DELETE ON claims
BEGIN SELECT RAISE(ABORT, 'claims is append-only'); END;
CREATE TRIGGER claims_no_update BEFORE UPDATE ON claims
BEGIN SELECT RAISE(ABORT, 'claims is append-only'); END;

-- One-time codes that were sent in an hour (since 1970), and the last failure. It names no person.
CREATE TABLE code_deliveries (
    hour BIGINT NOT NULL PRIMARY KEY,
    sent BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    failed_at BIGINT,
    reason TEXT
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

CREATE VIEW consents AS
SELECT d.submission AS submission, d.position AS position, s.person AS person, d.term_id AS term_id,
    d.accepted AS accepted, d.consented_at AS consented_at,
    coalesce(d.consented_at_text,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.consented_at / 1000.0, 'unixepoch')) AS consented_at_text,
    coalesce(d.sha256, (SELECT v.sha256 FROM term_variants AS v
        WHERE v.term_id = d.term_id AND v.position = d.variant), '') AS sha256,
    d.evidence AS evidence, d.method AS method, d.opened AS opened, d.last_page AS last_page
FROM decisions AS d JOIN submissions AS s ON s.seq = d.submission;
CREATE TRIGGER consents_insert INSTEAD OF INSERT ON consents
BEGIN
    INSERT INTO decisions (submission, position, term_id, accepted, consented_at, variant, sha256,
        consented_at_text, evidence, method, opened, last_page)
    SELECT NEW.submission, NEW.position, NEW.term_id, NEW.accepted, NEW.consented_at, known.variant,
        iif(known.variant IS NULL, NEW.sha256, NULL),
        nullif(NEW.consented_at_text,
            strftime('%Y-%m-%dT%H:%M:%fZ', NEW.consented_at / 1000.0, 'unixepoch')),
        NEW.evidence, NEW.method, NEW.opened, NEW.last_page
    FROM (SELECT min(v.position) AS variant FROM term_variants AS v
        WHERE v.term_id = NEW.term_id AND v.sha256 = NEW.sha256) AS known;
END;

-- Messages to the former address of a person whose e-mail address or phone number was changed. A row is deleted when
-- its message was sent or given up.
CREATE TABLE contact_notices (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    locale TEXT,
    changed_at BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    PRIMARY KEY (user_id, address)
);
CREATE INDEX contact_notices_by_time ON contact_notices (next_at);

-- The number of published terms, whose row is also the lock for publishing.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);

-- Who gave a colleague access to an account of the console, other than the colleague and commands. An account
-- and the one that gave access to it count as one person in approvals.
CREATE TABLE credential_issues (
    -- Subject of the account.
    subject TEXT NOT NULL,
    -- secret: a sign-in link, password or second factor. address: the account, its e-mail address or phone number.
    part TEXT NOT NULL,
    -- Subject of the account that did it.
    issued_by TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- Whether that account has seen the secret, because no delivery of messages is set up.
    is_shown BOOLEAN NOT NULL,
    PRIMARY KEY (subject, part, issued_by)
);

-- The decisions of submissions, in a quarter of the bytes of `consents` on PostgreSQL. The person is in the submission,
-- the hash of the document in the published term, and the text of the device's time in the log entry. `consents` is a
-- view that joins them, and accepts the same rows as the table.
CREATE TABLE decisions (
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    position BIGINT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    accepted BOOLEAN NOT NULL,
    consented_at BIGINT NOT NULL,
    -- The document: the position of the language in the term, or the hash of a document that the term does not have.
    variant BIGINT,
    sha256 TEXT,
    -- The text that the device sent, if it is not consented_at in UTC with milliseconds.
    consented_at_text TEXT,
    evidence TEXT NOT NULL,
    method TEXT,
    opened BOOLEAN,
    last_page BIGINT,
    PRIMARY KEY (submission, position),
    CHECK ((variant IS NULL) <> (sha256 IS NULL))
) WITHOUT ROWID;
CREATE INDEX decisions_of_term ON decisions (term_id, submission, position, accepted);
CREATE INDEX decisions_refused ON decisions (submission, position) WHERE NOT accepted;
CREATE INDEX decisions_refused_of_term ON decisions (term_id, submission, position) WHERE NOT accepted;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;
CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;

-- Files that publishing derives from a document: page images, text, manifest.
CREATE TABLE document_parts (
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (sha256, name)
);
CREATE TRIGGER document_parts_no_delete BEFORE DELETE ON document_parts
BEGIN SELECT RAISE(ABORT, 'document_parts is append-only'); END;
CREATE TRIGGER document_parts_no_update BEFORE UPDATE ON document_parts
BEGIN SELECT RAISE(ABORT, 'document_parts is append-only'); END;

-- The published PDFs.
CREATE TABLE documents (
    sha256 TEXT NOT NULL PRIMARY KEY,
    pages BIGINT NOT NULL,
    bytes BYTEA NOT NULL
);
CREATE TRIGGER documents_no_delete BEFORE DELETE ON documents
BEGIN SELECT RAISE(ABORT, 'documents is append-only'); END;
CREATE TRIGGER documents_no_update BEFORE UPDATE ON documents
BEGIN SELECT RAISE(ABORT, 'documents is append-only'); END;

-- All authors of a draft. None of them may approve it.
CREATE TABLE draft_editors (
    draft TEXT NOT NULL,
    -- Subject of the author.
    editor TEXT NOT NULL,
    PRIMARY KEY (draft, editor)
);

-- The references of deleted subjects. Without them a lost row would look like an erased one.
CREATE TABLE erasures (
    ref TEXT NOT NULL PRIMARY KEY
);
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;
CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;

-- Which reviewer works on an open discussion, so that two do not work on the same one unknowingly.
CREATE TABLE evaluation_assignments (
    evaluation TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- Subject of the reviewer.
    reviewer TEXT NOT NULL,
    -- Of the evaluation. With another version, the assignment has ended.
    version BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX evaluation_assignments_of_person ON evaluation_assignments (person);

-- Each transition, message and withdrawal, with what its entry in the log commits to.
CREATE TABLE evaluation_records (
    evaluation TEXT NOT NULL REFERENCES evaluations (id),
    -- From 1, without a gap.
    position BIGINT NOT NULL,
    person TEXT NOT NULL,
    -- The version after it. A message is no version and has that of its discussion.
    version BIGINT NOT NULL,
    is_message BOOLEAN NOT NULL,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor TEXT,
    -- 32 random bytes in hex.
    salt TEXT NOT NULL,
    -- RFC 8785.
    record TEXT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (evaluation, position)
);
CREATE INDEX evaluation_records_by_entry ON evaluation_records (log, idx);
CREATE INDEX evaluation_records_of_person ON evaluation_records (person);
CREATE TRIGGER evaluation_records_no_update BEFORE UPDATE ON evaluation_records
BEGIN SELECT RAISE(ABORT, 'evaluation_records is append-only'); END;

-- How pieces of work went, and who decided so. One row for each evaluation, as of its newest version.
CREATE TABLE evaluations (
    -- UUID of the caller.
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- Of the body that created it, in hex.
    body_sha256 TEXT NOT NULL,
    market TEXT,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    reference TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The order of the list: discussions by due date, then the newest first.
    place BIGINT NOT NULL,
    -- When it becomes final; NULL once it is, and while a discussion is open.
    closes_at BIGINT,
    -- Of the open discussion.
    answer_due BIGINT,
    opened_at BIGINT,
    -- Of the open discussion: 1 once due_soon was sent, 2 once overdue was.
    reminded BIGINT NOT NULL,
    -- Number of rows in evaluation_records.
    records BIGINT NOT NULL,
    -- The whole state, a JSON object.
    state TEXT NOT NULL,
    -- What the report for representatives counts, so that it reads an index and no state.
    -- Whether the rider contested it, and whether an answer was in favour of the rider: 0 or 1.
    contested BIGINT NOT NULL DEFAULT 0,
    overturned BIGINT NOT NULL DEFAULT 0,
    -- Milliseconds from each contest of the rider to its answer.
    first_answer_ms BIGINT,
    second_answer_ms BIGINT,
    -- When the work began, by which evaluations are selected to be excused.
    starts_at BIGINT NOT NULL DEFAULT 0);
CREATE INDEX evaluations_by_creation ON evaluations (created_at, market, status, contested, overturned);
CREATE INDEX evaluations_by_reference ON evaluations (reference);
CREATE INDEX evaluations_by_status ON evaluations (status, place, id);
CREATE INDEX evaluations_by_work ON evaluations (starts_at, id);
CREATE INDEX evaluations_closing ON evaluations (closes_at) WHERE closes_at IS NOT NULL;
CREATE INDEX evaluations_due ON evaluations (answer_due) WHERE answer_due IS NOT NULL;
CREATE INDEX evaluations_in_order ON evaluations (place, id);
CREATE INDEX evaluations_of_person ON evaluations (person, created_at);

-- The evaluations of an excusal, with the result of each.
CREATE TABLE excusal_items (
    excusal TEXT NOT NULL,
    position BIGINT NOT NULL,
    evaluation TEXT NOT NULL,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- The version that the colleague saw.
    version BIGINT NOT NULL,
    -- 'excused', or the code of the error; NULL until it is applied.
    result TEXT,
    PRIMARY KEY (excusal, position)
);
CREATE INDEX excusal_items_of_person ON excusal_items (person);

-- Evaluations that get the same reason 'excused' at a later time, until which it can be cancelled.
CREATE TABLE excusals (
    -- UUID of the caller.
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the colleague.
    author TEXT NOT NULL,
    -- All its evaluations are inside this market; NULL for anywhere.
    market TEXT,
    -- Of the body that created it, in hex.
    body_sha256 TEXT NOT NULL,
    -- The reason by language, a JSON object.
    text TEXT NOT NULL,
    -- scheduled, applying, applied or cancelled.
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    applies_at BIGINT NOT NULL,
    settled_at BIGINT,
    total BIGINT NOT NULL,
    excused BIGINT NOT NULL,
    refused BIGINT NOT NULL
);
CREATE INDEX excusals_due ON excusals (applies_at) WHERE status IN ('scheduled', 'applying');
CREATE INDEX excusals_newest ON excusals (created_at, id);

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
CREATE TRIGGER experiment_decisions_no_delete BEFORE DELETE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;
CREATE TRIGGER experiment_decisions_no_update BEFORE UPDATE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;

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
CREATE INDEX exposures_by_day ON exposures (day);
CREATE INDEX exposures_of_series ON exposures (series, unit, at);

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
CREATE INDEX flag_changes_by_status ON flag_changes (status, at);
CREATE INDEX flag_changes_of_environment ON flag_changes (environment, id);

-- Environments of flags. Updating a row is the lock for saving a configuration.
CREATE TABLE flag_environments (
    name TEXT NOT NULL PRIMARY KEY,
    -- The current version of the configuration; 0: none was saved.
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    archived_at BIGINT
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

-- Flags that no longer wait for the notice that they require, because its condition was met or an
-- admin bypassed it.
CREATE TABLE flag_notices (
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    -- Key of the flag.
    flag TEXT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- The version of the configuration from which this holds.
    version BIGINT NOT NULL,
    -- The condition that holds: days in effect, and riders served of a million.
    days BIGINT NOT NULL,
    served_ppm BIGINT NOT NULL,
    PRIMARY KEY (environment, flag, term_id, version)
);

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
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions
BEGIN
    INSERT OR IGNORE INTO chain_links (history, item, n)
    VALUES ('flags', NEW.environment, NEW.version);
END;
CREATE TRIGGER flag_versions_no_delete BEFORE DELETE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;
CREATE TRIGGER flag_versions_no_update BEFORE UPDATE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;

-- Hashes of erased people for 24 hours, by the markets whose readers had them.
CREATE TABLE gate_erased (
    user_id_sha256 TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (seq, market)
);

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

-- People who left a market, or are no longer riders. No market is ''.
CREATE TABLE gate_left (
    user_id TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (user_id, market)
);
CREATE INDEX gate_left_changed ON gate_left (seq);

-- Who may work, by person and market, as the gate has announced it.
CREATE TABLE gate_states (
    user_id TEXT NOT NULL PRIMARY KEY,
    market TEXT,
    may_work BOOLEAN NOT NULL,
    -- Ids of terms, a JSON array.
    reasons TEXT NOT NULL,
    changes_at BIGINT,
    -- The change that wrote the row; 0: the state at the start of the feed.
    seq BIGINT NOT NULL,
    -- The restrictions in force, of which the gate informs: ids that block work, and limitations, as JSON arrays.
    restrictions TEXT NOT NULL DEFAULT '[]',
    limitations TEXT NOT NULL DEFAULT '[]');
CREATE INDEX gate_states_changed ON gate_states (seq) WHERE seq > 0;
CREATE INDEX gate_states_due ON gate_states (changes_at) WHERE changes_at IS NOT NULL;

-- People whose role or market changed since the gate feed read them. No event records these changes, and several
-- statements make them. A number is never used twice: the feed deletes the rows that it has read by number.
CREATE TABLE gate_touched (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL
);

-- Idempotency keys of submissions.
CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    submission BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Accounts at an OpenID Connect provider. The link is permanent: the provider may later give the e-mail address to
-- another person, who must not get this account.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Browsers in which a user has signed in: a keyed hash of the browser's secret and the user.
CREATE TABLE known_browsers (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seen_at BIGINT NOT NULL
);
CREATE INDEX known_browsers_by_age ON known_browsers (seen_at);
CREATE INDEX known_browsers_of_user ON known_browsers (user_id, seen_at);

-- Cosignatures of witnesses (C2SP tlog-cosignature) under signed heads of the log. Each is checked by
-- its own signature, so that rows may be thinned out later.
CREATE TABLE log_cosigned (
    -- The head that was cosigned.
    log BIGINT NOT NULL,
    size BIGINT NOT NULL,
    -- When a quorum had cosigned it, in milliseconds since 1970.
    at BIGINT NOT NULL,
    -- The signature lines of the witnesses. Each ends in a newline.
    lines TEXT NOT NULL,
    PRIMARY KEY (log, size)
);
CREATE INDEX log_cosigned_at ON log_cosigned (log, at);

-- Entries of the evidence log.
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
CREATE UNIQUE INDEX log_entries_of_claim ON log_entries (claim) WHERE claim IS NOT NULL;
CREATE INDEX log_entries_of_event ON log_entries (event, log, idx) WHERE event IS NOT NULL;
CREATE UNIQUE INDEX log_entries_of_term ON log_entries (term) WHERE term IS NOT NULL;
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;
CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;

-- All signed checkpoints, so that each receipt can be written again unchanged.
CREATE TABLE log_heads (
    log BIGINT NOT NULL REFERENCES logs (id),
    size BIGINT NOT NULL,
    -- Size of the previous checkpoint, so that a missing row is detected; -1 for the first.
    previous BIGINT NOT NULL,
    checkpoint TEXT NOT NULL,
    PRIMARY KEY (log, size)
);
CREATE TRIGGER log_heads_no_delete BEFORE DELETE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;
CREATE TRIGGER log_heads_no_update BEFORE UPDATE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;

-- One row: the log that this store signs, and the key. No backup contains it, because two stores that sign one log would
-- fork it.
CREATE TABLE log_key (
    id BIGINT NOT NULL PRIMARY KEY,
    log BIGINT NOT NULL,
    seed TEXT NOT NULL,
    -- Whether the log signs with its ML-DSA-44 key too. All nodes and commands follow it.
    ml_dsa BOOLEAN NOT NULL DEFAULT FALSE);

-- The ML-DSA-44 key (C2SP tlog-cosignature, type 0x06) of each log that ever signed with one. It stays when
-- the log no longer signs with it, because its receipts stay.
CREATE TABLE log_ml_dsa_keys (
    log BIGINT NOT NULL PRIMARY KEY REFERENCES logs (id),
    vkey TEXT NOT NULL
);
CREATE TRIGGER log_ml_dsa_keys_no_delete BEFORE DELETE ON log_ml_dsa_keys
BEGIN SELECT RAISE(ABORT, 'log_ml_dsa_keys is append-only'); END;
CREATE TRIGGER log_ml_dsa_keys_no_update BEFORE UPDATE ON log_ml_dsa_keys
BEGIN SELECT RAISE(ABORT, 'log_ml_dsa_keys is append-only'); END;

-- A full tile never changes; the last one of each level only grows.
CREATE TABLE log_tiles (
    log BIGINT NOT NULL REFERENCES logs (id),
    level BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    width BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (log, level, idx)
);
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles
WHEN NEW.log <> OLD.log OR NEW.level <> OLD.level OR NEW.idx <> OLD.idx
    OR NEW.width <= OLD.width OR NEW.width > 256
    OR substr(NEW.bytes, 1, length(OLD.bytes)) <> OLD.bytes
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE ON log_tiles
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;

-- Time stamps (RFC 3161) of signed heads of the log.
CREATE TABLE log_timestamps (
    -- From 1, without gaps.
    n BIGINT PRIMARY KEY,
    -- The head that was stamped.
    log BIGINT NOT NULL,
    size BIGINT NOT NULL,
    -- The time of the token, in milliseconds since 1970.
    at BIGINT NOT NULL,
    -- The address of the authority, as configured.
    tsa TEXT NOT NULL,
    -- The common name of its certificate.
    authority TEXT NOT NULL,
    stored_at BIGINT NOT NULL,
    -- The whole reply.
    reply BYTEA NOT NULL
);
CREATE INDEX log_timestamps_covering ON log_timestamps (log, n, size);
CREATE TRIGGER log_timestamps_no_delete BEFORE DELETE ON log_timestamps
BEGIN SELECT RAISE(ABORT, 'log_timestamps is append-only'); END;
CREATE TRIGGER log_timestamps_no_update BEFORE UPDATE ON log_timestamps
BEGIN SELECT RAISE(ABORT, 'log_timestamps is append-only'); END;

-- One row: the result of the last verification of the log. It is no part of the evidence.
CREATE TABLE log_verified (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    faults BIGINT NOT NULL
);

-- The node that asks the witnesses. Other nodes do not ask until then.
CREATE TABLE log_witness_lease (
    id BIGINT PRIMARY KEY,
    node TEXT NOT NULL,
    until BIGINT NOT NULL
);

-- Evidence logs. A restored store starts a new log; earlier ones remain, so that their receipts can be proved.
CREATE TABLE logs (
    -- Milliseconds since 1970 at its start. The newest is in use.
    id BIGINT NOT NULL PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    vkey TEXT NOT NULL
);
CREATE TRIGGER logs_no_delete BEFORE DELETE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;
CREATE TRIGGER logs_no_update BEFORE UPDATE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;

-- Names of markets, and markets that the company defines itself.
CREATE TABLE markets (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    timezone TEXT,
    -- The language of people in the market who have none themselves.
    locale TEXT);

-- Values of metrics.
CREATE TABLE metric_values (
    id BYTEA NOT NULL PRIMARY KEY,
    series BIGINT NOT NULL,
    unit BYTEA NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT NOT NULL
);
CREATE INDEX metric_values_by_day ON metric_values (day);
CREATE INDEX metric_values_of_series ON metric_values (series, unit, at, value);

-- The state of a store that is being moved to another database: leaving, arriving or moved. No row: it is not moved.
CREATE TABLE moves (
    id BIGINT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    -- Identifies the attempt.
    token TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- The running servers and the change numbers that each of them serves.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    flags BIGINT NOT NULL DEFAULT 9223372036854775807
);

-- Batches of messages. The log has an entry for each row.
CREATE TABLE notice_batches (
    id TEXT NOT NULL PRIMARY KEY,
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    step BIGINT NOT NULL,
    channel TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- Root of the tree of the messages in hex.
    root TEXT NOT NULL,
    closed_at BIGINT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL
);
CREATE INDEX notice_batches_of_campaign ON notice_batches (campaign);
CREATE TRIGGER notice_batches_no_delete BEFORE DELETE ON notice_batches
BEGIN SELECT RAISE(ABORT, 'notice_batches is append-only'); END;
CREATE TRIGGER notice_batches_no_update BEFORE UPDATE ON notice_batches
BEGIN SELECT RAISE(ABORT, 'notice_batches is append-only'); END;

-- The message of a step to a rider. The unique index is the reason that no rider gets two.
CREATE TABLE notice_messages (
    id TEXT NOT NULL PRIMARY KEY,
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    step BIGINT NOT NULL,
    -- Subject of the rider. NULL once they are erased: the leaf remains, because others are proved with it.
    person TEXT,
    channel TEXT NOT NULL,
    -- Time zone whose hours of the day apply; empty for none.
    zone TEXT NOT NULL,
    locale TEXT,
    -- waiting (for its attempt), offered (until the app fetches it), done, skipped or erased.
    status TEXT NOT NULL,
    -- Why it was skipped.
    reason TEXT,
    next_at BIGINT NOT NULL,
    -- A node sends it until then; after a crash another one does.
    leased_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    -- An attempt began and has no result: the message may have been sent.
    in_doubt BOOLEAN NOT NULL,
    -- An attempt followed one without a result.
    repeated BOOLEAN NOT NULL,
    address TEXT,
    sha256 TEXT,
    -- The first attempt.
    sent_at BIGINT,
    settled_at BIGINT,
    -- accepted, bounced or failed.
    outcome TEXT,
    outcome_status TEXT,
    batch TEXT,
    idx BIGINT,
    -- 32 random bytes in hex.
    salt TEXT,
    -- RFC 8785.
    record TEXT,
    -- Leaf of the batch's tree in hex.
    leaf TEXT
);
CREATE INDEX notice_messages_by_status ON notice_messages (campaign, step, status, outcome);
CREATE INDEX notice_messages_due ON notice_messages (campaign, zone, next_at) WHERE status = 'waiting';
CREATE INDEX notice_messages_of_batch ON notice_messages (batch, idx) WHERE batch IS NOT NULL;
CREATE INDEX notice_messages_of_person ON notice_messages (person);
CREATE UNIQUE INDEX notice_messages_once ON notice_messages (campaign, step, person);
CREATE INDEX notice_messages_unbatched ON notice_messages (campaign, settled_at) WHERE status = 'done' AND batch IS NULL;

-- When a person opened a notice, with the place of the entry that proves it.
CREATE TABLE notice_openings (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    sha256 TEXT NOT NULL,
    locale TEXT,
    -- By the clock of the device, and by that of the server.
    opened_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (person, term_id)
);
CREATE INDEX notice_openings_of_term ON notice_openings (term_id, person);
CREATE TRIGGER notice_openings_no_update BEFORE UPDATE ON notice_openings
BEGIN SELECT RAISE(ABORT, 'notice_openings is append-only'); END;

-- Riders who do not want e-mails about optional terms.
CREATE TABLE notice_opt_outs (
    person TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);

-- When a notice, or another version of terms, reached a person through a channel.
CREATE TABLE notice_receptions (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    channel TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (person, term_id)
);
CREATE INDEX notice_receptions_of_term ON notice_receptions (term_id, person);

-- Redirects from the OpenID Connect provider that were used: each is accepted once.
CREATE TABLE oidc_returns (
    hash TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX oidc_returns_by_age ON oidc_returns (expires_at);

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
CREATE INDEX outbox_user ON outbox (user_id) WHERE user_id IS NOT NULL;

-- One row: the number of the last event, and of the last one that was deleted.
CREATE TABLE outbox_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL,
    forgotten BIGINT NOT NULL
);

-- The normalized text by which people are found. The program normalizes it: SQLite changes the case of ASCII only.
CREATE TABLE people_search (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) WITHOUT ROWID;

-- Acts that wait for approvals: ending or ordering published terms, and replacing the rules of approval.
CREATE TABLE proposals (
    -- UUIDv7.
    id TEXT PRIMARY KEY,
    -- The rules that it is under: terms, or rules for a change of the rules of approval.
    kind TEXT NOT NULL,
    -- The type of the terms; of rules: the subjects that need fewer approvals, separated by a space.
    scope TEXT NOT NULL,
    -- The market of the term; NULL: everywhere.
    market TEXT,
    -- What is done: JSON in the server's own form.
    body TEXT NOT NULL,
    -- Subject of the person or service key.
    author TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- proposed, done, refused or cancelled.
    status TEXT NOT NULL,
    settled_at BIGINT,
    -- Why it was refused.
    refusal TEXT
);
CREATE INDEX proposals_open ON proposals (id) WHERE status = 'proposed';

-- Where the push service of a person's browser takes messages for it.
CREATE TABLE push_subscriptions (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    id TEXT NOT NULL,
    endpoint TEXT NOT NULL UNIQUE,
    -- Public key and secret of the browser, in base64url.
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (person, id)
);

-- Answers to requests with an Idempotency-Key, for 7 days.
CREATE TABLE replies (
    -- Subject of the person, or the id of the service key.
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_sha256 TEXT NOT NULL,
    -- Subject of the rider whom the answer is about.
    person TEXT,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX replies_by_age ON replies (created_at);
CREATE INDEX replies_of_person ON replies (person) WHERE person IS NOT NULL;

-- Each transition, with what its entry in the log commits to.
CREATE TABLE restriction_records (
    restriction TEXT NOT NULL REFERENCES restrictions (id),
    -- The version after the transition, from 1 without a gap.
    version BIGINT NOT NULL,
    person TEXT NOT NULL,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor TEXT,
    -- 32 random bytes in hex.
    salt TEXT NOT NULL,
    -- RFC 8785.
    record TEXT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (restriction, version)
);
CREATE INDEX restriction_records_by_entry ON restriction_records (log, idx);
CREATE INDEX restriction_records_of_person ON restriction_records (person);
CREATE TRIGGER restriction_records_no_update BEFORE UPDATE ON restriction_records
BEGIN SELECT RAISE(ABORT, 'restriction_records is append-only'); END;

-- Limits of riders' access to work, and the people who answer for them. One row for each restriction, as of
-- its newest version.
CREATE TABLE restrictions (
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    market TEXT,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The order of the list: open reviews by due date, then the newest first.
    place BIGINT NOT NULL,
    -- NULL for a proposal that starts when it is imposed.
    starts_at BIGINT,
    ends_at BIGINT,
    -- When it expires by itself; NULL unless it is imposed and has an end.
    closes_at BIGINT,
    -- Of the open review.
    answer_due BIGINT,
    -- Of the open review: 1 once restriction.overdue was sent.
    reminded BIGINT NOT NULL,
    -- Subjects of the colleagues or service:NAME.
    proposed_by TEXT,
    imposed_by TEXT,
    -- The whole state, a JSON object.
    state TEXT NOT NULL,
    -- open, or the outcome of the review; NULL without a review.
    review TEXT);
CREATE INDEX restrictions_by_start ON restrictions (starts_at);
CREATE INDEX restrictions_by_status ON restrictions (status, place, id);
CREATE INDEX restrictions_closing ON restrictions (closes_at) WHERE closes_at IS NOT NULL;
CREATE INDEX restrictions_due ON restrictions (answer_due) WHERE answer_due IS NOT NULL;
CREATE INDEX restrictions_imposed ON restrictions (person) WHERE status = 'IMPOSED';
CREATE INDEX restrictions_in_order ON restrictions (place, id);
CREATE INDEX restrictions_of_person ON restrictions (person, created_at);

-- The rules that say which evaluations a person must review.
CREATE TABLE review_rules (
    -- A code, or * for all others.
    market TEXT NOT NULL PRIMARY KEY,
    contest_days BIGINT NOT NULL,
    answer_days BIGINT NOT NULL
);

-- Change numbers. Every change that running servers must load increments one of them: 1 everything else, 2 ended
-- sessions, 3 flags.
CREATE TABLE revision (
    id BIGINT NOT NULL PRIMARY KEY,
    n BIGINT NOT NULL
);

-- Digests of content that log entries name but do not contain: terms, and documents with their pages.
CREATE TABLE seals (
    name TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL
);
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;

-- Secrets of the server, by name.
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

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

-- One row: the address of the server that started last. No backup contains it, because a copy has another address.
CREATE TABLE served_at (
    id BIGINT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    -- The newest time that a server saw. A start with an earlier clock is detected by it.
    newest_at BIGINT
);

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
    device TEXT NOT NULL DEFAULT '',
    -- How the person signed in, and when they last proved who they are. NULL: an earlier version opened the session.
    method TEXT,
    authenticated_at BIGINT);
CREATE INDEX sessions_of_user ON sessions (user_id);

-- Links that sign a person in once. Only the hash of a link is stored.
CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);

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

-- One row: updating it is the lock that gives all assignments of all nodes one order, so that a reader that follows
-- them by number misses none.
CREATE TABLE sticky_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL
);

-- Pseudonyms of people. Evidence refers to a subject; erasing a person deletes the row with its key.
CREATE TABLE subjects (
    ref TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL
);

-- One row: updating it is the lock that gives all submissions of all nodes one order.
CREATE TABLE submission_head (
    id BIGINT NOT NULL PRIMARY KEY,
    next_seq BIGINT NOT NULL
);

-- Submissions: the decisions that a person sent together.
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
    market TEXT,
    -- How the person had signed in to the session of a submission, as the log entry says it (RFC 8176), separated
    -- by spaces. NULL: an applicant, an import, or an earlier version.
    amr TEXT,
    -- The reading of the device's clock and the correction that the app made, as the app sent them: evidence of when a
    -- decision was made on a device with a wrong clock.
    clock_offset_ms BIGINT,
    device_at TEXT);
CREATE INDEX submissions_of_person ON submissions (person);
CREATE TRIGGER submissions_no_delete BEFORE DELETE ON submissions
BEGIN SELECT RAISE(ABORT, 'submissions is append-only'); END;
CREATE TRIGGER submissions_no_update BEFORE UPDATE ON submissions
BEGIN SELECT RAISE(ABORT, 'submissions is append-only'); END;

-- Drafts of descriptions of automated systems, one for each system.
CREATE TABLE system_drafts (
    key TEXT NOT NULL PRIMARY KEY,
    -- Number of the revision, from 1.
    revision BIGINT NOT NULL,
    -- The description as canonical JSON.
    body TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Subject of the last editor.
    updated_by TEXT
);

-- Published descriptions. The log has an entry for each row.
CREATE TABLE system_versions (
    key TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- The description as canonical JSON, whose SHA-256 is in the log.
    body TEXT NOT NULL,
    effective_from BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    PRIMARY KEY (key, version)
);
CREATE TRIGGER system_versions_no_delete BEFORE DELETE ON system_versions
BEGIN SELECT RAISE(ABORT, 'system_versions is append-only'); END;
CREATE TRIGGER system_versions_no_update BEFORE UPDATE ON system_versions
BEGIN SELECT RAISE(ABORT, 'system_versions is append-only'); END;

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
    market TEXT,
    -- When the draft was begun; NULL: before this column.
    begun_at BIGINT);

-- Scheduled versions that were cancelled and documents that are retired. Undoing deletes the row; the log has an entry
-- of both.
CREATE TABLE term_endings (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    ending TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- Display positions that differ from those of the publication. They are no part of what users agree to.
CREATE TABLE term_order (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    position BIGINT NOT NULL
);

-- Times at which a published term changes state without a request, and whose event is not written yet.
CREATE TABLE term_turns (
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- effective or grace_ended.
    turn TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (term_id, turn)
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
CREATE TRIGGER term_variants_no_delete BEFORE DELETE ON term_variants
BEGIN SELECT RAISE(ABORT, 'term_variants is append-only'); END;
CREATE TRIGGER term_variants_no_update BEFORE UPDATE ON term_variants
BEGIN SELECT RAISE(ABORT, 'term_variants is append-only'); END;

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
    instead_of BIGINT REFERENCES terms (id),
    -- `notice` for a text that users do not agree to. NULL: a consent.
    term_kind TEXT);
CREATE TRIGGER terms_no_delete BEFORE DELETE ON terms
BEGIN SELECT RAISE(ABORT, 'terms is append-only'); END;
CREATE TRIGGER terms_no_update BEFORE UPDATE ON terms
BEGIN SELECT RAISE(ABORT, 'terms is append-only'); END;

-- Theoretical arrival times (GCRA) of rate limits, which hold on all nodes and after a restart.
CREATE TABLE throttles (
    key TEXT NOT NULL PRIMARY KEY,
    arrival BIGINT NOT NULL
);
CREATE INDEX throttles_by_age ON throttles (arrival);

-- Secrets of authenticator apps.
CREATE TABLE totp (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    -- A code is accepted once.
    last_step BIGINT NOT NULL,
    -- Recently used steps, newest first: |9|7|. They are refused even after the clock was set back.
    used_steps TEXT
);

-- Tickets that have opened an event stream. Each opens one, on any node.
CREATE TABLE used_tickets (
    nonce TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tickets_by_age ON used_tickets (expires_at);

-- The roles of users.
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    PRIMARY KEY (user_id, role)
);
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);
CREATE TRIGGER gate_role_given AFTER INSERT ON user_roles WHEN NEW.role = 'rider'
BEGIN
    INSERT INTO gate_touched (user_id) SELECT NEW.user_id WHERE EXISTS (SELECT 1 FROM gate_head);
END;
CREATE TRIGGER gate_role_taken AFTER DELETE ON user_roles WHEN OLD.role = 'rider'
BEGIN
    INSERT INTO gate_touched (user_id) SELECT OLD.user_id WHERE EXISTS (SELECT 1 FROM gate_head);
END;

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
CREATE TRIGGER gate_moved AFTER UPDATE OF market ON users WHEN NEW.market IS NOT OLD.market
BEGIN
    INSERT INTO gate_touched (user_id) SELECT NEW.id WHERE EXISTS (SELECT 1 FROM gate_head);
END;

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
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (webhook, seq) WHERE status = 'waiting';

-- Signing secrets. A replaced secret continues to sign until a time.
CREATE TABLE webhook_secrets (
    id TEXT NOT NULL PRIMARY KEY,
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    secret TEXT NOT NULL,
    until BIGINT
);

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
