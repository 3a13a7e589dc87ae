-- The tables of a new store. Generated from the migrations, which create them:
-- UPDATE=1 tools/with-postgres cargo test -p musette-store --lib schema

-- Times of recent messages to one recipient, for limits per hour and day.
CREATE TABLE allowances (
    key text NOT NULL,
    taken text NOT NULL,
    forget_at bigint NOT NULL,
    PRIMARY KEY (key)
);
CREATE INDEX allowances_by_age ON allowances USING btree (forget_at);

-- Messages about an object that waits for approval or was sent back. One row for each object and recipient.
CREATE TABLE approval_notices (
    -- asked or returned.
    purpose text NOT NULL,
    -- terms or flags, and the id of the draft or change.
    kind text NOT NULL,
    object text NOT NULL,
    user_id text NOT NULL /* no statistics */,
    asked_at bigint NOT NULL,
    -- When a node sends it, or takes over from a node that did not finish; NULL: settled.
    next_at bigint,
    tries bigint NOT NULL,
    -- NULL: it was not sent.
    sent_at bigint,
    PRIMARY KEY (purpose, kind, object, user_id)
);
CREATE INDEX approval_notices_due ON approval_notices USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX approval_notices_of ON approval_notices USING btree (user_id, sent_at);

-- Required numbers of approvals. The most specific rule applies.
CREATE TABLE approval_rules (
    -- terms or flags.
    kind text NOT NULL,
    -- A type of terms, an environment, or *.
    scope text NOT NULL,
    approvals bigint NOT NULL,
    PRIMARY KEY (kind, scope)
);

-- Approvals of a draft of terms or a change of flags in one state.
CREATE TABLE approvals (
    -- terms or flags.
    kind text NOT NULL,
    -- Id of the draft or change.
    object text NOT NULL,
    -- Subject of the approver.
    approver text NOT NULL,
    -- Hash of the approved content in lower-case hex; empty if it was sent back.
    sha256 text NOT NULL,
    at bigint NOT NULL,
    -- The reason for sending it back.
    comment text,
    PRIMARY KEY (kind, object, approver)
);

-- The audit log. It refers to subjects, so erasing a person leaves no personal data in it.
CREATE TABLE audit (
    id text NOT NULL,
    at bigint NOT NULL,
    event text NOT NULL,
    subject text,
    sid text,
    detail text,
    -- Subject of the actor, if that is another person.
    actor text,
    PRIMARY KEY (id)
);
CREATE INDEX audit_by_time ON audit USING btree (at);
CREATE INDEX audit_of_actor ON audit USING btree (actor);
CREATE INDEX audit_of_event ON audit USING btree (event, at, id);
CREATE INDEX audit_of_subject ON audit USING btree (subject);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_linked AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION link_audit();

-- Events that a client can cause without a session, such as a wrong code, counted by the hour (since 1970). A row for
-- each would let a client fill the disk. An unknown subject is ''.
CREATE TABLE audit_counts (
    hour bigint NOT NULL,
    event text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    id text NOT NULL,
    -- Time of the first event.
    at bigint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (hour, event, subject, detail)
);
CREATE INDEX audit_counts_by_time ON audit_counts USING btree (at);
CREATE INDEX audit_counts_of_event ON audit_counts USING btree (event, at);
CREATE INDEX audit_counts_of_subject ON audit_counts USING btree (subject, at);

-- Passes over all riders, each of which prepares the messages of a step. Steps that were due before the start share one.
CREATE TABLE campaign_passes (
    campaign text NOT NULL,
    number bigint NOT NULL,
    -- Indexes of the steps, the latest first, separated by blanks.
    steps text NOT NULL,
    due_at bigint NOT NULL,
    -- Subject of the last rider whose messages were prepared.
    position text NOT NULL,
    prepared_at bigint,
    PRIMARY KEY (campaign, number),
    FOREIGN KEY (campaign) REFERENCES campaigns(id)
);

-- Campaigns: messages that inform riders about a term or a notice.
CREATE TABLE campaigns (
    id text NOT NULL,
    term_id bigint NOT NULL,
    market text,
    -- Steps and texts, a JSON object.
    body text NOT NULL,
    -- draft, running, paused, finished or cancelled.
    status text NOT NULL,
    created_at bigint NOT NULL,
    -- Subject of the author.
    created_by text,
    started_at bigint,
    ended_at bigint,
    PRIMARY KEY (id),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE INDEX campaigns_running ON campaigns USING btree (id) WHERE (status = 'running'::text);

-- The order of the rows of `audit` and `flag_versions` in their running hashes, which the log records from time to time.
CREATE TABLE chain_links (
    history text NOT NULL,
    item text NOT NULL,
    n bigint NOT NULL,
    -- NULL: not in the hash yet.
    place bigint,
    PRIMARY KEY (history, item, n)
);
CREATE UNIQUE INDEX chain_links_by_place ON chain_links USING btree (history, place);
CREATE TRIGGER chain_links_no_delete BEFORE DELETE OR TRUNCATE ON chain_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links FOR EACH ROW WHEN (((old.place IS NOT NULL) OR (new.history <> old.history) OR (new.item <> old.item) OR (new.n <> old.n))) EXECUTE FUNCTION refuse_change();

-- Applicants who became riders: the applicant's decisions now belong to the rider.
CREATE TABLE claims (
    person text NOT NULL,
    submission bigint NOT NULL,
    subject text NOT NULL,
    recorded_at bigint NOT NULL,
    PRIMARY KEY (person),
    FOREIGN KEY (submission) REFERENCES submissions(seq)
);
CREATE INDEX claims_of_subject ON claims USING btree (subject);
CREATE TRIGGER claims_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON claims FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One-time codes that were sent in an hour (since 1970), and the last failure. It names no person.
CREATE TABLE code_deliveries (
    hour bigint NOT NULL,
    sent bigint NOT NULL,
    failed bigint NOT NULL,
    failed_at bigint,
    reason text,
    PRIMARY KEY (hour)
);

-- One-time codes. Identifier, network and code are keyed hashes. A row for an unknown identifier looks the same.
CREATE TABLE codes (
    identifier text NOT NULL /* no statistics */,
    network text NOT NULL /* no statistics */,
    hash text NOT NULL /* no statistics */,
    user_id text /* no statistics */,
    tries bigint NOT NULL,
    tries_elsewhere bigint NOT NULL,
    expires_at bigint NOT NULL,
    -- Keyed hash of the secret of the requesting browser, whose guesses are counted separately.
    proof text /* no statistics */,
    PRIMARY KEY (identifier, network),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX codes_by_age ON codes USING btree (expires_at);

-- The decisions of submissions.
CREATE TABLE consents (
    submission bigint NOT NULL,
    position bigint NOT NULL,
    person text NOT NULL,
    term_id bigint NOT NULL,
    accepted boolean NOT NULL,
    consented_at bigint NOT NULL,
    -- The text that the device sent.
    consented_at_text text NOT NULL,
    sha256 text NOT NULL,
    evidence text NOT NULL,
    method text,
    opened boolean,
    last_page bigint,
    PRIMARY KEY (submission, "position"),
    FOREIGN KEY (submission) REFERENCES submissions(seq),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE INDEX consents_of_person ON consents USING btree (person, submission);
CREATE INDEX consents_of_term ON consents USING btree (term_id, submission, "position", accepted, person);
CREATE INDEX consents_refused ON consents USING btree (submission, "position") WHERE (NOT accepted);
CREATE TRIGGER consents_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON consents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Messages to the former address of a person whose e-mail address or phone number was changed. A row is deleted when
-- its message was sent or given up.
CREATE TABLE contact_notices (
    user_id text NOT NULL /* no statistics */,
    address text NOT NULL /* no statistics */,
    locale text,
    changed_at bigint NOT NULL,
    next_at bigint NOT NULL,
    tries bigint NOT NULL,
    PRIMARY KEY (user_id, address),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX contact_notices_by_time ON contact_notices USING btree (next_at);
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF next_at ON contact_notices FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();

-- The number of published terms, whose row is also the lock for publishing.
CREATE TABLE counters (
    name text NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (name)
);

-- Who gave a colleague access to an account of the console, other than the colleague and commands. An account
-- and the one that gave access to it count as one person in approvals.
CREATE TABLE credential_issues (
    -- Subject of the account.
    subject text NOT NULL,
    -- secret: a sign-in link, password or second factor. address: the account, its e-mail address or phone number.
    part text NOT NULL,
    -- Subject of the account that did it.
    issued_by text NOT NULL,
    at bigint NOT NULL,
    -- Whether that account has seen the secret, because no delivery of messages is set up.
    is_shown boolean NOT NULL,
    PRIMARY KEY (subject, part, issued_by)
);

-- Files that publishing derives from a document: page images, text, manifest.
CREATE TABLE document_parts (
    sha256 text NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (sha256, name),
    FOREIGN KEY (sha256) REFERENCES documents(sha256)
);
CREATE TRIGGER document_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON document_parts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The published PDFs.
CREATE TABLE documents (
    sha256 text NOT NULL,
    pages bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (sha256)
);
CREATE TRIGGER documents_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- All authors of a draft. None of them may approve it.
CREATE TABLE draft_editors (
    draft text NOT NULL,
    -- Subject of the author.
    editor text NOT NULL,
    PRIMARY KEY (draft, editor)
);

-- The references of deleted subjects. Without them a lost row would look like an erased one.
CREATE TABLE erasures (
    ref text NOT NULL,
    PRIMARY KEY (ref)
);
CREATE TRIGGER erasures_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON erasures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Which reviewer works on an open discussion, so that two do not work on the same one unknowingly.
CREATE TABLE evaluation_assignments (
    evaluation text NOT NULL /* no statistics */,
    -- Subject of the rider.
    person text NOT NULL /* no statistics */,
    -- Subject of the reviewer.
    reviewer text NOT NULL /* no statistics */,
    -- Of the evaluation. With another version, the assignment has ended.
    version bigint NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (evaluation)
);
CREATE INDEX evaluation_assignments_of_person ON evaluation_assignments USING btree (person);

-- Each transition, message and withdrawal, with what its entry in the log commits to.
CREATE TABLE evaluation_records (
    evaluation text NOT NULL /* no statistics */,
    -- From 1, without a gap.
    position bigint NOT NULL,
    person text NOT NULL /* no statistics */,
    -- The version after it. A message is no version and has that of its discussion.
    version bigint NOT NULL,
    is_message boolean NOT NULL,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor text /* no statistics */,
    -- 32 random bytes in hex.
    salt text NOT NULL /* no statistics */,
    -- RFC 8785.
    record text NOT NULL /* no statistics */,
    log bigint NOT NULL,
    idx bigint NOT NULL,
    PRIMARY KEY (evaluation, "position"),
    FOREIGN KEY (evaluation) REFERENCES evaluations(id)
);
CREATE INDEX evaluation_records_by_entry ON evaluation_records USING btree (log, idx);
CREATE INDEX evaluation_records_of_person ON evaluation_records USING btree (person);
CREATE TRIGGER evaluation_records_append_only BEFORE UPDATE OR TRUNCATE ON evaluation_records FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- How pieces of work went, and who decided so. One row for each evaluation, as of its newest version.
CREATE TABLE evaluations (
    -- UUID of the caller.
    id text NOT NULL /* no statistics */,
    -- Subject of the rider.
    person text NOT NULL /* no statistics */,
    -- Of the body that created it, in hex.
    body_sha256 text NOT NULL /* no statistics */,
    market text,
    status text NOT NULL,
    version bigint NOT NULL,
    reference text NOT NULL /* no statistics */,
    created_at bigint NOT NULL,
    -- The order of the list: discussions by due date, then the newest first.
    place bigint NOT NULL,
    -- When it becomes final; NULL once it is, and while a discussion is open.
    closes_at bigint,
    -- Of the open discussion.
    answer_due bigint,
    opened_at bigint,
    -- Of the open discussion: 1 once due_soon was sent, 2 once overdue was.
    reminded bigint NOT NULL,
    -- Number of rows in evaluation_records.
    records bigint NOT NULL,
    -- The whole state, a JSON object.
    state text NOT NULL /* no statistics */,
    -- What the report for representatives counts, so that it reads an index and no state.
    -- Whether the rider contested it, and whether an answer was in favour of the rider: 0 or 1.
    contested bigint NOT NULL DEFAULT 0,
    overturned bigint NOT NULL DEFAULT 0,
    -- Milliseconds from each contest of the rider to its answer.
    first_answer_ms bigint,
    second_answer_ms bigint,
    -- When the work began, by which evaluations are selected to be excused.
    starts_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (id)
);
CREATE INDEX evaluations_by_creation ON evaluations USING btree (created_at, market, status, contested, overturned);
CREATE INDEX evaluations_by_reference ON evaluations USING btree (reference);
CREATE INDEX evaluations_by_status ON evaluations USING btree (status, place, id);
CREATE INDEX evaluations_by_work ON evaluations USING btree (starts_at, id);
CREATE INDEX evaluations_closing ON evaluations USING btree (closes_at) WHERE (closes_at IS NOT NULL);
CREATE INDEX evaluations_due ON evaluations USING btree (answer_due) WHERE (answer_due IS NOT NULL);
CREATE INDEX evaluations_in_order ON evaluations USING btree (place, id);
CREATE INDEX evaluations_of_person ON evaluations USING btree (person, created_at);

-- The evaluations of an excusal, with the result of each.
CREATE TABLE excusal_items (
    excusal text NOT NULL /* no statistics */,
    position bigint NOT NULL,
    evaluation text NOT NULL /* no statistics */,
    -- Subject of the rider.
    person text NOT NULL /* no statistics */,
    -- The version that the colleague saw.
    version bigint NOT NULL,
    -- 'excused', or the code of the error; NULL until it is applied.
    result text,
    PRIMARY KEY (excusal, "position")
);
CREATE INDEX excusal_items_of_person ON excusal_items USING btree (person);

-- Evaluations that get the same reason 'excused' at a later time, until which it can be cancelled.
CREATE TABLE excusals (
    -- UUID of the caller.
    id text NOT NULL,
    -- Subject of the colleague.
    author text NOT NULL,
    -- All its evaluations are inside this market; NULL for anywhere.
    market text,
    -- Of the body that created it, in hex.
    body_sha256 text NOT NULL,
    -- The reason by language, a JSON object.
    text text NOT NULL,
    -- scheduled, applying, applied or cancelled.
    status text NOT NULL,
    created_at bigint NOT NULL,
    applies_at bigint NOT NULL,
    settled_at bigint,
    total bigint NOT NULL,
    excused bigint NOT NULL,
    refused bigint NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX excusals_due ON excusals USING btree (applies_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'applying'::text]));
CREATE INDEX excusals_newest ON excusals USING btree (created_at, id);

-- Decisions about experiments: author, reason, and the results at that time.
CREATE TABLE experiment_decisions (
    -- UUIDv7.
    id text NOT NULL,
    environment text NOT NULL,
    experiment text NOT NULL,
    phase bigint NOT NULL,
    -- ship, stop or continue.
    decision text NOT NULL,
    variation text,
    reason text NOT NULL,
    -- The results as JSON.
    shown text NOT NULL,
    -- Subject of the author.
    author text,
    created_at bigint NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX experiment_decisions_of ON experiment_decisions USING btree (environment, experiment, id);
CREATE TRIGGER experiment_decisions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON experiment_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Exposures of people to a variation.
CREATE TABLE exposures (
    -- Hash of the event's id: a repeated event has the same one.
    id bytea NOT NULL,
    series bigint NOT NULL,
    -- Keyed hash of the person.
    unit bytea NOT NULL,
    at bigint NOT NULL,
    -- Day of arrival (since 1970), by which rows expire.
    day bigint NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX exposures_by_day ON exposures USING btree (day);
CREATE INDEX exposures_of_series ON exposures USING btree (series, unit, at);

-- Scheduled changes of a configuration.
CREATE TABLE flag_changes (
    id text NOT NULL,
    environment text NOT NULL,
    at bigint NOT NULL,
    -- The version that the document was edited from; the change is the difference between the two.
    base bigint NOT NULL,
    document text NOT NULL,
    author text,
    comment text,
    created_at bigint NOT NULL,
    -- waiting, done, cancelled or refused.
    status text NOT NULL,
    settled_at bigint,
    -- The resulting version, or the reason why there is none.
    version bigint,
    refusal text,
    PRIMARY KEY (id),
    FOREIGN KEY (environment) REFERENCES flag_environments(name)
);
CREATE INDEX flag_changes_by_status ON flag_changes USING btree (status, at);
CREATE INDEX flag_changes_of_environment ON flag_changes USING btree (environment, id);

-- Environments of flags. Updating a row is the lock for saving a configuration.
CREATE TABLE flag_environments (
    name text NOT NULL,
    -- The current version of the configuration; 0: none was saved.
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    archived_at bigint,
    PRIMARY KEY (name)
);

-- Keys of the flag API.
CREATE TABLE flag_keys (
    id text NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    debug boolean NOT NULL,
    name text,
    -- SHA-256 of the key.
    hash text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    last_used_at bigint,
    PRIMARY KEY (id),
    UNIQUE (hash),
    FOREIGN KEY (environment) REFERENCES flag_environments(name)
);
CREATE INDEX flag_keys_of_environment ON flag_keys USING btree (environment);

-- Flags that no longer wait for the notice that they require, because its condition was met or an
-- admin bypassed it.
CREATE TABLE flag_notices (
    environment text NOT NULL,
    -- Key of the flag.
    flag text NOT NULL,
    term_id bigint NOT NULL,
    -- The version of the configuration from which this holds.
    version bigint NOT NULL,
    -- The condition that holds: days in effect, and riders served of a million.
    days bigint NOT NULL,
    served_ppm bigint NOT NULL,
    PRIMARY KEY (environment, flag, term_id, version),
    FOREIGN KEY (environment) REFERENCES flag_environments(name),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);

-- Number of evaluations of a flag by variation and day (since 1970, UTC).
CREATE TABLE flag_usage (
    environment text NOT NULL,
    flag text NOT NULL,
    day bigint NOT NULL,
    variation text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (environment, flag, day, variation)
);
CREATE INDEX flag_usage_by_day ON flag_usage USING btree (day);

-- The changes of each version, so that the history is listed and searched without the documents. It is derived from
-- them: a version without rows gets them later.
CREATE TABLE flag_version_objects (
    environment text NOT NULL,
    version bigint NOT NULL,
    -- A list of the document, or settings; empty in the one row of a version that changed nothing.
    section text NOT NULL,
    key text NOT NULL,
    -- added, removed, changed, switched_on, switched_off or nothing.
    change text NOT NULL,
    -- Names of the members that differ, separated by spaces.
    fields text NOT NULL,
    PRIMARY KEY (environment, version, section, key),
    FOREIGN KEY (environment, version) REFERENCES flag_versions(environment, version)
);

-- Configurations of flags, one document for each version.
CREATE TABLE flag_versions (
    environment text NOT NULL,
    version bigint NOT NULL,
    document text NOT NULL,
    -- Subject of the author; NULL: a command or a scheduled step.
    author text,
    comment text,
    created_at bigint NOT NULL,
    PRIMARY KEY (environment, version),
    FOREIGN KEY (environment) REFERENCES flag_environments(name)
);
CREATE INDEX flag_versions_by_time ON flag_versions USING btree (environment, created_at);
CREATE TRIGGER flag_versions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON flag_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions FOR EACH ROW EXECUTE FUNCTION link_flag_version();

-- Hashes of erased people for 24 hours, by the markets whose readers had them.
CREATE TABLE gate_erased (
    user_id_sha256 text NOT NULL,
    market text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (seq, market)
);

-- The gate feed: which riders may work. It has one row from the first read on.
CREATE TABLE gate_head (
    id bigint NOT NULL,
    -- Random, so that a cursor of another store, or of an earlier feed, is rejected.
    epoch text NOT NULL,
    -- The number of the last change.
    seq bigint NOT NULL,
    -- Events of the outbox up to this number are applied.
    position bigint NOT NULL,
    -- The revision of the published terms that all states reflect once the sweep has ended.
    revision bigint NOT NULL,
    terms_sha256 text NOT NULL,
    -- The last rider that the sweep over all riders has processed; NULL: it has ended.
    swept text,
    -- False until the first sweep has ended.
    is_filled boolean NOT NULL,
    -- Erased people up to this change are no longer listed.
    gone bigint NOT NULL,
    PRIMARY KEY (id)
);

-- People who left a market, or are no longer riders. No market is ''.
CREATE TABLE gate_left (
    user_id text NOT NULL /* no statistics */,
    market text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (user_id, market)
);
CREATE INDEX gate_left_changed ON gate_left USING btree (seq);

-- Who may work, by person and market, as the gate has announced it.
CREATE TABLE gate_states (
    user_id text NOT NULL /* no statistics */,
    market text,
    may_work boolean NOT NULL,
    -- Ids of terms, a JSON array.
    reasons text NOT NULL,
    changes_at bigint,
    -- The change that wrote the row; 0: the state at the start of the feed.
    seq bigint NOT NULL,
    -- The restrictions in force, of which the gate informs: ids that block work, and limitations, as JSON arrays.
    restrictions text NOT NULL DEFAULT '[]'::text /* no statistics */,
    limitations text NOT NULL DEFAULT '[]'::text /* no statistics */,
    PRIMARY KEY (user_id)
);
CREATE INDEX gate_states_changed ON gate_states USING btree (seq) WHERE (seq > 0);
CREATE INDEX gate_states_due ON gate_states USING btree (changes_at) WHERE (changes_at IS NOT NULL);

-- People whose role or market changed since the gate feed read them. No event records these changes, and several
-- statements make them. A number is never used twice: the feed deletes the rows that it has read by number.
CREATE TABLE gate_touched (
    id bigint NOT NULL,
    user_id text NOT NULL /* no statistics */,
    PRIMARY KEY (id)
);
CREATE TRIGGER notify_changes AFTER INSERT ON gate_touched FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();

-- Idempotency keys of submissions.
CREATE TABLE idempotency (
    scope text NOT NULL /* no statistics */,
    key text NOT NULL /* no statistics */,
    body_sha256 text NOT NULL /* no statistics */,
    submission bigint NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON idempotency USING btree (created_at);

-- Accounts at an OpenID Connect provider. The link is permanent: the provider may later give the e-mail address to
-- another person, who must not get this account.
CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL /* no statistics */,
    user_id text NOT NULL /* no statistics */,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Browsers in which a user has signed in: a keyed hash of the browser's secret and the user.
CREATE TABLE known_browsers (
    hash text NOT NULL /* no statistics */,
    user_id text NOT NULL /* no statistics */,
    seen_at bigint NOT NULL,
    PRIMARY KEY (hash),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX known_browsers_by_age ON known_browsers USING btree (seen_at);
CREATE INDEX known_browsers_of_user ON known_browsers USING btree (user_id, seen_at);

-- Cosignatures of witnesses (C2SP tlog-cosignature) under signed heads of the log. Each is checked by
-- its own signature, so that rows may be thinned out later.
CREATE TABLE log_cosigned (
    -- The head that was cosigned.
    log bigint NOT NULL,
    size bigint NOT NULL,
    -- When a quorum had cosigned it, in milliseconds since 1970.
    at bigint NOT NULL,
    -- The signature lines of the witnesses. Each ends in a newline.
    lines text NOT NULL,
    PRIMARY KEY (log, size)
);
CREATE INDEX log_cosigned_at ON log_cosigned USING btree (log, at);

-- Entries of the evidence log.
CREATE TABLE log_entries (
    log bigint NOT NULL,
    idx bigint NOT NULL,
    -- The submission that the entry records, or the person whose claim it records.
    submission bigint,
    claim text,
    entry text NOT NULL,
    -- The type of an entry of neither.
    event text,
    -- The id of the published term that the entry records.
    term bigint,
    PRIMARY KEY (log, idx),
    UNIQUE (submission),
    FOREIGN KEY (claim) REFERENCES claims(person),
    FOREIGN KEY (log) REFERENCES logs(id),
    FOREIGN KEY (submission) REFERENCES submissions(seq)
);
CREATE UNIQUE INDEX log_entries_of_claim ON log_entries USING btree (claim) WHERE (claim IS NOT NULL);
CREATE INDEX log_entries_of_event ON log_entries USING btree (event, log, idx) WHERE (event IS NOT NULL);
CREATE UNIQUE INDEX log_entries_of_term ON log_entries USING btree (term) WHERE (term IS NOT NULL);
CREATE TRIGGER log_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- All signed checkpoints, so that each receipt can be written again unchanged.
CREATE TABLE log_heads (
    log bigint NOT NULL,
    size bigint NOT NULL,
    -- Size of the previous checkpoint, so that a missing row is detected; -1 for the first.
    previous bigint NOT NULL,
    checkpoint text NOT NULL,
    PRIMARY KEY (log, size),
    FOREIGN KEY (log) REFERENCES logs(id)
);
CREATE TRIGGER log_heads_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row: the log that this store signs, and the key. No backup contains it, because two stores that sign one log would
-- fork it.
CREATE TABLE log_key (
    id bigint NOT NULL,
    log bigint NOT NULL,
    seed text NOT NULL /* no statistics */,
    -- Whether the log signs with its ML-DSA-44 key too. All nodes and commands follow it.
    ml_dsa boolean NOT NULL DEFAULT false,
    PRIMARY KEY (id)
);

-- The ML-DSA-44 key (C2SP tlog-cosignature, type 0x06) of each log that ever signed with one. It stays when
-- the log no longer signs with it, because its receipts stay.
CREATE TABLE log_ml_dsa_keys (
    log bigint NOT NULL,
    vkey text NOT NULL,
    PRIMARY KEY (log),
    FOREIGN KEY (log) REFERENCES logs(id)
);
CREATE TRIGGER log_ml_dsa_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_ml_dsa_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A full tile never changes; the last one of each level only grows.
CREATE TABLE log_tiles (
    log bigint NOT NULL,
    level bigint NOT NULL,
    idx bigint NOT NULL,
    width bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (log, level, idx),
    FOREIGN KEY (log) REFERENCES logs(id)
);
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles FOR EACH ROW WHEN (((new.log <> old.log) OR (new.level <> old.level) OR (new.idx <> old.idx) OR (new.width <= old.width) OR (new.width > 256) OR (SUBSTRING(new.bytes FROM 1 FOR length(old.bytes)) <> old.bytes))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE OR TRUNCATE ON log_tiles FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Time stamps (RFC 3161) of signed heads of the log.
CREATE TABLE log_timestamps (
    -- From 1, without gaps.
    n bigint NOT NULL,
    -- The head that was stamped.
    log bigint NOT NULL,
    size bigint NOT NULL,
    -- The time of the token, in milliseconds since 1970.
    at bigint NOT NULL,
    -- The address of the authority, as configured.
    tsa text NOT NULL,
    -- The common name of its certificate.
    authority text NOT NULL,
    stored_at bigint NOT NULL,
    -- The whole reply.
    reply bytea NOT NULL,
    PRIMARY KEY (n)
);
CREATE INDEX log_timestamps_covering ON log_timestamps USING btree (log, n, size);
CREATE TRIGGER log_timestamps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_timestamps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row: the result of the last verification of the log. It is no part of the evidence.
CREATE TABLE log_verified (
    id bigint NOT NULL,
    at bigint NOT NULL,
    entries bigint NOT NULL,
    faults bigint NOT NULL,
    PRIMARY KEY (id)
);

-- The node that asks the witnesses. Other nodes do not ask until then.
CREATE TABLE log_witness_lease (
    id bigint NOT NULL,
    node text NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (id)
);

-- Evidence logs. A restored store starts a new log; earlier ones remain, so that their receipts can be proved.
CREATE TABLE logs (
    -- Milliseconds since 1970 at its start. The newest is in use.
    id bigint NOT NULL,
    origin text NOT NULL,
    vkey text NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (origin)
);
CREATE TRIGGER logs_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON logs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Names of markets, and markets that the company defines itself.
CREATE TABLE markets (
    code text NOT NULL,
    name text,
    timezone text,
    -- The language of people in the market who have none themselves.
    locale text,
    PRIMARY KEY (code)
);

-- Values of metrics.
CREATE TABLE metric_values (
    id bytea NOT NULL,
    series bigint NOT NULL,
    unit bytea NOT NULL,
    value double precision NOT NULL,
    at bigint NOT NULL,
    day bigint NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX metric_values_by_day ON metric_values USING btree (day);
CREATE INDEX metric_values_of_series ON metric_values USING btree (series, unit, at, value);

-- The state of a store that is being moved to another database: leaving, arriving or moved. No row: it is not moved.
CREATE TABLE moves (
    id bigint NOT NULL,
    state text NOT NULL,
    -- Identifies the attempt.
    token text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (id)
);

-- The running servers and the change numbers that each of them serves.
CREATE TABLE nodes (
    id text NOT NULL,
    revision bigint NOT NULL,
    seen_at bigint NOT NULL,
    flags bigint NOT NULL DEFAULT '9223372036854775807'::bigint,
    PRIMARY KEY (id)
);

-- Batches of messages. The log has an entry for each row.
CREATE TABLE notice_batches (
    id text NOT NULL,
    campaign text NOT NULL,
    step bigint NOT NULL,
    channel text NOT NULL,
    count bigint NOT NULL,
    -- Root of the tree of the messages in hex.
    root text NOT NULL,
    closed_at bigint NOT NULL,
    log bigint NOT NULL,
    idx bigint NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY (campaign) REFERENCES campaigns(id)
);
CREATE INDEX notice_batches_of_campaign ON notice_batches USING btree (campaign);
CREATE TRIGGER notice_batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON notice_batches FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The message of a step to a rider. The unique index is the reason that no rider gets two.
CREATE TABLE notice_messages (
    id text NOT NULL,
    campaign text NOT NULL,
    step bigint NOT NULL,
    -- Subject of the rider. NULL once they are erased: the leaf remains, because others are proved with it.
    person text /* no statistics */,
    channel text NOT NULL,
    -- Time zone whose hours of the day apply; empty for none.
    zone text NOT NULL,
    locale text,
    -- waiting (for its attempt), offered (until the app fetches it), done, skipped or erased.
    status text NOT NULL,
    -- Why it was skipped.
    reason text,
    next_at bigint NOT NULL,
    -- A node sends it until then; after a crash another one does.
    leased_until bigint NOT NULL,
    attempts bigint NOT NULL,
    -- An attempt began and has no result: the message may have been sent.
    in_doubt boolean NOT NULL,
    -- An attempt followed one without a result.
    repeated boolean NOT NULL,
    address text /* no statistics */,
    sha256 text /* no statistics */,
    -- The first attempt.
    sent_at bigint,
    settled_at bigint,
    -- accepted, bounced or failed.
    outcome text,
    outcome_status text,
    batch text,
    idx bigint,
    -- 32 random bytes in hex.
    salt text /* no statistics */,
    -- RFC 8785.
    record text /* no statistics */,
    -- Leaf of the batch's tree in hex.
    leaf text,
    PRIMARY KEY (id),
    FOREIGN KEY (campaign) REFERENCES campaigns(id)
);
CREATE INDEX notice_messages_by_status ON notice_messages USING btree (campaign, step, status, outcome);
CREATE INDEX notice_messages_due ON notice_messages USING btree (campaign, zone, next_at) WHERE (status = 'waiting'::text);
CREATE INDEX notice_messages_of_batch ON notice_messages USING btree (batch, idx) WHERE (batch IS NOT NULL);
CREATE INDEX notice_messages_of_person ON notice_messages USING btree (person);
CREATE UNIQUE INDEX notice_messages_once ON notice_messages USING btree (campaign, step, person);
CREATE INDEX notice_messages_unbatched ON notice_messages USING btree (campaign, settled_at) WHERE ((status = 'done'::text) AND (batch IS NULL));

-- When a person opened a notice, with the place of the entry that proves it.
CREATE TABLE notice_openings (
    person text NOT NULL /* no statistics */,
    term_id bigint NOT NULL,
    sha256 text NOT NULL,
    locale text,
    -- By the clock of the device, and by that of the server.
    opened_at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    log bigint NOT NULL,
    idx bigint NOT NULL,
    PRIMARY KEY (person, term_id),
    FOREIGN KEY (person) REFERENCES subjects(ref) ON DELETE CASCADE,
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE INDEX notice_openings_of_term ON notice_openings USING btree (term_id, person);
CREATE TRIGGER notice_openings_append_only BEFORE UPDATE OR TRUNCATE ON notice_openings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Riders who do not want e-mails about optional terms.
CREATE TABLE notice_opt_outs (
    person text NOT NULL /* no statistics */,
    at bigint NOT NULL,
    PRIMARY KEY (person)
);

-- When a notice, or another version of terms, reached a person through a channel.
CREATE TABLE notice_receptions (
    person text NOT NULL /* no statistics */,
    term_id bigint NOT NULL,
    channel text NOT NULL,
    received_at bigint NOT NULL,
    PRIMARY KEY (person, term_id),
    FOREIGN KEY (person) REFERENCES subjects(ref) ON DELETE CASCADE,
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE INDEX notice_receptions_of_term ON notice_receptions USING btree (term_id, person);

-- Redirects from the OpenID Connect provider that were used: each is accepted once.
CREATE TABLE oidc_returns (
    hash text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (hash)
);
CREATE INDEX oidc_returns_by_age ON oidc_returns USING btree (expires_at);

-- The outbox: events, written in the transaction of the change. Only the column `user_id` names a person, never `data`,
-- so that erasing a person deletes it.
CREATE TABLE outbox (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    user_id text /* no statistics */,
    -- A JSON object.
    data text NOT NULL /* no statistics */,
    -- The trace (`traceparent`) of the request that caused the event; only while traces are on.
    trace text,
    PRIMARY KEY (seq)
);
CREATE INDEX outbox_user ON outbox USING btree (user_id) WHERE (user_id IS NOT NULL);

-- One row: the number of the last event, and of the last one that was deleted.
CREATE TABLE outbox_head (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    forgotten bigint NOT NULL,
    PRIMARY KEY (id)
);

-- The normalized text by which people are found. The program normalizes it, so that both engines find the same people.
CREATE TABLE people_search (
    user_id text NOT NULL /* no statistics */,
    text text NOT NULL /* no statistics */,
    PRIMARY KEY (user_id),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Acts that wait for approvals: ending or ordering published terms, and replacing the rules of approval.
CREATE TABLE proposals (
    -- UUIDv7.
    id text NOT NULL,
    -- The rules that it is under: terms, or rules for a change of the rules of approval.
    kind text NOT NULL,
    -- The type of the terms; of rules: the subjects that need fewer approvals, separated by a space.
    scope text NOT NULL,
    -- The market of the term; NULL: everywhere.
    market text,
    -- What is done: JSON in the server's own form.
    body text NOT NULL,
    -- Subject of the person or service key.
    author text NOT NULL,
    created_at bigint NOT NULL,
    -- proposed, done, refused or cancelled.
    status text NOT NULL,
    settled_at bigint,
    -- Why it was refused.
    refusal text,
    PRIMARY KEY (id)
);
CREATE INDEX proposals_open ON proposals USING btree (id) WHERE (status = 'proposed'::text);

-- Where the push service of a person's browser takes messages for it.
CREATE TABLE push_subscriptions (
    person text NOT NULL /* no statistics */,
    id text NOT NULL /* no statistics */,
    endpoint text NOT NULL /* no statistics */,
    -- Public key and secret of the browser, in base64url.
    p256dh text NOT NULL /* no statistics */,
    auth text NOT NULL /* no statistics */,
    created_at bigint NOT NULL,
    PRIMARY KEY (person, id),
    UNIQUE (endpoint),
    FOREIGN KEY (person) REFERENCES subjects(ref) ON DELETE CASCADE
);

-- Answers to requests with an Idempotency-Key, for 7 days.
CREATE TABLE replies (
    -- Subject of the person, or the id of the service key.
    scope text NOT NULL /* no statistics */,
    key text NOT NULL /* no statistics */,
    request_sha256 text NOT NULL /* no statistics */,
    -- Subject of the rider whom the answer is about.
    person text /* no statistics */,
    status bigint NOT NULL,
    body text NOT NULL /* no statistics */,
    created_at bigint NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX replies_by_age ON replies USING btree (created_at);
CREATE INDEX replies_of_person ON replies USING btree (person) WHERE (person IS NOT NULL);

-- Each transition, with what its entry in the log commits to.
CREATE TABLE restriction_records (
    restriction text NOT NULL /* no statistics */,
    -- The version after the transition, from 1 without a gap.
    version bigint NOT NULL,
    person text NOT NULL /* no statistics */,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor text /* no statistics */,
    -- 32 random bytes in hex.
    salt text NOT NULL /* no statistics */,
    -- RFC 8785.
    record text NOT NULL /* no statistics */,
    log bigint NOT NULL,
    idx bigint NOT NULL,
    PRIMARY KEY (restriction, version),
    FOREIGN KEY (restriction) REFERENCES restrictions(id)
);
CREATE INDEX restriction_records_by_entry ON restriction_records USING btree (log, idx);
CREATE INDEX restriction_records_of_person ON restriction_records USING btree (person);
CREATE TRIGGER restriction_records_append_only BEFORE UPDATE OR TRUNCATE ON restriction_records FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Limits of riders' access to work, and the people who answer for them. One row for each restriction, as of
-- its newest version.
CREATE TABLE restrictions (
    id text NOT NULL /* no statistics */,
    -- Subject of the rider.
    person text NOT NULL /* no statistics */,
    market text,
    kind text NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    -- The order of the list: open reviews by due date, then the newest first.
    place bigint NOT NULL,
    -- NULL for a proposal that starts when it is imposed.
    starts_at bigint,
    ends_at bigint,
    -- When it expires by itself; NULL unless it is imposed and has an end.
    closes_at bigint,
    -- Of the open review.
    answer_due bigint,
    -- Of the open review: 1 once restriction.overdue was sent.
    reminded bigint NOT NULL,
    -- Subjects of the colleagues or service:NAME.
    proposed_by text /* no statistics */,
    imposed_by text /* no statistics */,
    -- The whole state, a JSON object.
    state text NOT NULL /* no statistics */,
    -- open, or the outcome of the review; NULL without a review.
    review text,
    PRIMARY KEY (id)
);
CREATE INDEX restrictions_by_start ON restrictions USING btree (starts_at);
CREATE INDEX restrictions_by_status ON restrictions USING btree (status, place, id);
CREATE INDEX restrictions_closing ON restrictions USING btree (closes_at) WHERE (closes_at IS NOT NULL);
CREATE INDEX restrictions_due ON restrictions USING btree (answer_due) WHERE (answer_due IS NOT NULL);
CREATE INDEX restrictions_imposed ON restrictions USING btree (person) WHERE (status = 'IMPOSED'::text);
CREATE INDEX restrictions_in_order ON restrictions USING btree (place, id);
CREATE INDEX restrictions_of_person ON restrictions USING btree (person, created_at);

-- The rules that say which evaluations a person must review.
CREATE TABLE review_rules (
    -- A code, or * for all others.
    market text NOT NULL,
    contest_days bigint NOT NULL,
    answer_days bigint NOT NULL,
    PRIMARY KEY (market)
);

-- Change numbers. Every change that running servers must load increments one of them: 1 everything else, 2 ended
-- sessions, 3 flags.
CREATE TABLE revision (
    id bigint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (id)
);
CREATE TRIGGER notify_changes AFTER UPDATE ON revision FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();

-- Digests of content that log entries name but do not contain: terms, and documents with their pages.
CREATE TABLE seals (
    name text NOT NULL,
    digest text NOT NULL,
    PRIMARY KEY (name)
);
CREATE TRIGGER seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Secrets of the server, by name.
CREATE TABLE secrets (
    name text NOT NULL,
    value text NOT NULL /* no statistics */,
    PRIMARY KEY (name)
);

-- What exposures and values are counted by: a variation of an experiment or a group of a holdout in one phase, or a
-- metric. The id is a hash of the other columns, so that all nodes compute the same one.
CREATE TABLE series (
    id bigint NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    phase bigint NOT NULL,
    arm text NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX series_by_name ON series USING btree (environment, kind, name);

-- One row: the address of the server that started last. No backup contains it, because a copy has another address.
CREATE TABLE served_at (
    id bigint NOT NULL,
    url text NOT NULL,
    -- The newest time that a server saw. A start with an earlier clock is detected by it.
    newest_at bigint,
    PRIMARY KEY (id)
);

-- Keys of the company's other programs.
CREATE TABLE service_keys (
    -- UUIDv7, which is not secret.
    id text NOT NULL,
    -- The name in the audit log.
    name text NOT NULL,
    -- Roles, separated by spaces.
    roles text NOT NULL,
    -- SHA-256 of the key in lower-case hex.
    hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    -- Rounded to the hour.
    last_used_at bigint,
    -- Subject of the admin who created the key, who may not approve what the key writes; NULL: a command.
    made_by text,
    PRIMARY KEY (id),
    UNIQUE (hash)
);

-- Sessions. No index has a column that a refresh changes.
CREATE TABLE sessions (
    sid text NOT NULL /* no statistics */,
    user_id text NOT NULL /* no statistics */,
    salt text NOT NULL /* no statistics */,
    generation bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    idle_until bigint NOT NULL,
    absolute_until bigint NOT NULL,
    ended_at bigint,
    ended_because text,
    rotated_at bigint,
    -- The newest generation that the client has used, and when it first did.
    acked_generation bigint NOT NULL DEFAULT '-1'::integer,
    acked_at bigint,
    -- How often the previous token was accepted since the rotation.
    repeats bigint NOT NULL DEFAULT 0,
    -- Keyed hash of the client that rotated to the current generation.
    instance text /* no statistics */,
    device text NOT NULL DEFAULT ''::text /* no statistics */,
    -- How the person signed in, and when they last proved who they are. NULL: an earlier version opened the session.
    method text,
    authenticated_at bigint,
    PRIMARY KEY (sid),
    FOREIGN KEY (user_id) REFERENCES users(id)
) WITH (fillfactor=70);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id);

-- Links that sign a person in once. Only the hash of a link is stored.
CREATE TABLE sign_in_links (
    hash text NOT NULL /* no statistics */,
    user_id text NOT NULL /* no statistics */,
    expires_at bigint NOT NULL,
    PRIMARY KEY (hash),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_links_of_user ON sign_in_links USING btree (user_id);

-- Keys that sign access tokens.
CREATE TABLE signing_keys (
    kid text NOT NULL,
    seed text NOT NULL /* no statistics */,
    created_at bigint NOT NULL,
    -- The key is published before this time and signs from it on.
    signs_from bigint NOT NULL,
    -- Expiry of the last token that was issued for longer than usual.
    last_exp bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (kid)
);

-- Sticky assignments: the variation that an experiment continues to serve to a person.
CREATE TABLE sticky (
    seq bigint NOT NULL,
    environment text NOT NULL,
    experiment text NOT NULL,
    -- Keyed hash of the person.
    unit bytea NOT NULL,
    variation text NOT NULL,
    bucket_version bigint NOT NULL,
    assigned_at bigint NOT NULL,
    PRIMARY KEY (environment, experiment, unit)
);
CREATE INDEX sticky_by_seq ON sticky USING btree (seq);

-- One row: updating it is the lock that gives all assignments of all nodes one order, so that a reader that follows
-- them by number misses none.
CREATE TABLE sticky_head (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (id)
);

-- Pseudonyms of people. Evidence refers to a subject; erasing a person deletes the row with its key.
CREATE TABLE subjects (
    ref text NOT NULL /* no statistics */,
    key text NOT NULL /* no statistics */,
    PRIMARY KEY (ref)
);

-- One row: updating it is the lock that gives all submissions of all nodes one order.
CREATE TABLE submission_head (
    id bigint NOT NULL,
    next_seq bigint NOT NULL,
    PRIMARY KEY (id)
);

-- Submissions: the decisions that a person sent together.
CREATE TABLE submissions (
    seq bigint NOT NULL,
    entry_id text NOT NULL,
    subject text NOT NULL,
    -- The subject whose decisions these are: that of a rider, or that of an applicant's first submission, which later
    -- ones with its receipt continue.
    person text NOT NULL,
    user_type text NOT NULL,
    recorded_at bigint NOT NULL,
    locale text,
    app text,
    -- The person's market at the time, which the log has too.
    market text,
    -- How the person had signed in to the session of a submission, as the log entry says it (RFC 8176), separated
    -- by spaces. NULL: an applicant, an import, or an earlier version.
    amr text,
    -- The reading of the device's clock and the correction that the app made, as the app sent them: evidence of when a
    -- decision was made on a device with a wrong clock.
    clock_offset_ms bigint,
    device_at text,
    PRIMARY KEY (seq)
);
CREATE TRIGGER submissions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON submissions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Drafts of descriptions of automated systems, one for each system.
CREATE TABLE system_drafts (
    key text NOT NULL,
    -- Number of the revision, from 1.
    revision bigint NOT NULL,
    -- The description as canonical JSON.
    body text NOT NULL,
    updated_at bigint NOT NULL,
    -- Subject of the last editor.
    updated_by text,
    PRIMARY KEY (key)
);

-- Published descriptions. The log has an entry for each row.
CREATE TABLE system_versions (
    key text NOT NULL,
    version bigint NOT NULL,
    -- The description as canonical JSON, whose SHA-256 is in the log.
    body text NOT NULL,
    effective_from bigint NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (key, version)
);
CREATE TRIGGER system_versions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON system_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Drafts of terms as JSON. Publishing deletes a draft.
CREATE TABLE term_drafts (
    id text NOT NULL,
    -- Each change increments it; a save with an older revision is refused.
    revision bigint NOT NULL,
    body text NOT NULL,
    updated_at bigint NOT NULL,
    -- Subject of the last author.
    updated_by text,
    -- The market by which drafts are listed; NULL: everywhere.
    market text,
    -- When the draft was begun; NULL: before this column.
    begun_at bigint,
    PRIMARY KEY (id)
);

-- Scheduled versions that were cancelled and documents that are retired. Undoing deletes the row; the log has an entry
-- of both.
CREATE TABLE term_endings (
    term_id bigint NOT NULL,
    ending text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (term_id),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);

-- Display positions that differ from those of the publication. They are no part of what users agree to.
CREATE TABLE term_order (
    term_id bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (term_id),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);

-- Times at which a published term changes state without a request, and whose event is not written yet.
CREATE TABLE term_turns (
    term_id bigint NOT NULL,
    -- effective or grace_ended.
    turn text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (term_id, turn),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);

-- The languages of a term.
CREATE TABLE term_variants (
    term_id bigint NOT NULL,
    -- 0 is the default language.
    position bigint NOT NULL,
    locale text NOT NULL,
    title text NOT NULL,
    sha256 text NOT NULL,
    -- Summary of the changes in this language.
    summary text,
    PRIMARY KEY (term_id, locale),
    FOREIGN KEY (sha256) REFERENCES documents(sha256),
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE TRIGGER term_variants_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON term_variants FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- When a term was shown to a person before a decision, and when its document was opened. For statistics, no part of the
-- evidence; deleted with the person.
CREATE TABLE term_views (
    subject text NOT NULL /* no statistics */,
    term_id bigint NOT NULL,
    shown_at bigint NOT NULL,
    opened_at bigint,
    PRIMARY KEY (subject, term_id),
    FOREIGN KEY (subject) REFERENCES subjects(ref) ON DELETE CASCADE,
    FOREIGN KEY (term_id) REFERENCES terms(id)
);
CREATE INDEX term_views_of_term ON term_views USING btree (term_id, shown_at);

-- Published versions of terms.
CREATE TABLE terms (
    id bigint NOT NULL,
    -- The type, such as FREELANCER.
    kind text NOT NULL,
    version bigint NOT NULL,
    mandatory boolean NOT NULL,
    display_order bigint NOT NULL,
    effective_from bigint NOT NULL,
    grace_until bigint,
    replaces bigint,
    material boolean NOT NULL,
    -- Summary of the changes, for languages that have none.
    summary text,
    published_at bigint NOT NULL,
    -- The version name in the document, such as 1.1.
    label text,
    -- The market in which the term applies; NULL: everywhere.
    market text,
    -- Any version of the broader text that this one replaces in its market.
    instead_of bigint,
    -- `notice` for a text that users do not agree to. NULL: a consent.
    term_kind text,
    PRIMARY KEY (id),
    UNIQUE (replaces),
    FOREIGN KEY (instead_of) REFERENCES terms(id),
    FOREIGN KEY (replaces) REFERENCES terms(id)
);
CREATE TRIGGER terms_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON terms FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Theoretical arrival times (GCRA) of rate limits, which hold on all nodes and after a restart.
CREATE TABLE throttles (
    key text NOT NULL,
    arrival bigint NOT NULL,
    PRIMARY KEY (key)
);
CREATE INDEX throttles_by_age ON throttles USING btree (arrival);

-- Secrets of authenticator apps.
CREATE TABLE totp (
    user_id text NOT NULL /* no statistics */,
    secret text NOT NULL /* no statistics */,
    -- A code is accepted once.
    last_step bigint NOT NULL,
    -- Recently used steps, newest first: |9|7|. They are refused even after the clock was set back.
    used_steps text /* no statistics */,
    PRIMARY KEY (user_id),
    FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Tickets that have opened an event stream. Each opens one, on any node.
CREATE TABLE used_tickets (
    nonce text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (nonce)
);
CREATE INDEX used_tickets_by_age ON used_tickets USING btree (expires_at);

-- The roles of users.
CREATE TABLE user_roles (
    user_id text NOT NULL /* no statistics */,
    role text NOT NULL,
    PRIMARY KEY (user_id, role),
    FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_roles_by_role ON user_roles USING btree (role, user_id);
CREATE TRIGGER gate_role_given AFTER INSERT ON user_roles FOR EACH ROW WHEN ((new.role = 'rider'::text)) EXECUTE FUNCTION touch_gate();
CREATE TRIGGER gate_role_taken AFTER DELETE ON user_roles FOR EACH ROW WHEN ((old.role = 'rider'::text)) EXECUTE FUNCTION touch_gate();

-- Riders, workers and console users.
CREATE TABLE users (
    id text NOT NULL /* no statistics */,
    subject text NOT NULL /* no statistics */,
    name text /* no statistics */,
    email text /* no statistics */,
    phone text /* no statistics */,
    password_hash text /* no statistics */,
    created_at bigint NOT NULL,
    -- From then on a sign-in by password needs a second factor; NULL: not set yet.
    second_factor_due bigint,
    market text,
    -- The language for messages (BCP 47).
    locale text,
    PRIMARY KEY (id),
    UNIQUE (email),
    UNIQUE (phone),
    UNIQUE (subject),
    FOREIGN KEY (subject) REFERENCES subjects(ref)
);
CREATE INDEX users_of_market ON users USING btree (market) WHERE (market IS NOT NULL);
CREATE TRIGGER gate_moved AFTER UPDATE OF market ON users FOR EACH ROW WHEN ((new.market IS DISTINCT FROM old.market)) EXECUTE FUNCTION touch_gate();

-- One row for each event and webhook.
CREATE TABLE webhook_deliveries (
    webhook text NOT NULL,
    seq bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    -- waiting, delivered or failed.
    status text NOT NULL,
    attempts bigint NOT NULL,
    next_at bigint NOT NULL,
    -- A node sends it until then; after a crash another node does.
    leased_until bigint NOT NULL,
    attempted_at bigint,
    response_status bigint,
    error text,
    PRIMARY KEY (webhook, seq),
    FOREIGN KEY (webhook) REFERENCES webhooks(id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (webhook, next_at, seq) WHERE (status = 'waiting'::text);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries USING btree (webhook, seq) WHERE (status = 'waiting'::text);

-- Signing secrets. A replaced secret continues to sign until a time.
CREATE TABLE webhook_secrets (
    id text NOT NULL,
    webhook text NOT NULL,
    secret text NOT NULL /* no statistics */,
    until bigint,
    PRIMARY KEY (id),
    FOREIGN KEY (webhook) REFERENCES webhooks(id)
);

-- Addresses to which events are sent.
CREATE TABLE webhooks (
    id text NOT NULL,
    url text NOT NULL,
    description text,
    -- Types of events, separated by spaces.
    types text NOT NULL,
    created_at bigint NOT NULL,
    -- Events up to this number have their deliveries.
    position bigint NOT NULL,
    disabled_at bigint,
    -- gone (410), failed, person or restored.
    disabled_because text,
    PRIMARY KEY (id)
);
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF disabled_at ON webhooks FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();

CREATE OR REPLACE FUNCTION link_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION link_flag_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('flags', NEW.environment, NEW.version)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION notify_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM pg_notify('musette_changes', '');
    RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $function$;

CREATE OR REPLACE FUNCTION touch_gate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    touched TEXT;
BEGIN
    IF TG_TABLE_NAME = 'users' THEN
        touched := NEW.id;
    ELSIF TG_OP = 'DELETE' THEN
        touched := OLD.user_id;
    ELSE
        touched := NEW.user_id;
    END IF;
    INSERT INTO gate_touched (user_id) SELECT touched WHERE EXISTS (SELECT 1 FROM gate_head);
    RETURN NULL;
END
$function$;
