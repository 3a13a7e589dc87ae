-- What only SQLite has, beside the tables of both engines.

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

-- Decisions arrive in the order of their submissions, so this index grows at one place for each term.
CREATE INDEX decisions_of_term ON decisions (term_id, submission, position, accepted);
-- Few decisions refuse, and an export of those must not read all others.
CREATE INDEX decisions_refused ON decisions (submission, position) WHERE NOT accepted;
-- People who refused a version are found among its refusals. Each entry of decisions_of_term would cost a lookup.
CREATE INDEX decisions_refused_of_term ON decisions (term_id, submission, position) WHERE NOT accepted;
CREATE INDEX submissions_of_person ON submissions (person);

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

-- The normalized text by which people are found. The program normalizes it: SQLite changes the case of ASCII only.
CREATE TABLE people_search (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) WITHOUT ROWID;

INSERT INTO flag_environments (name, version, created_at)
VALUES ('production', 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000);

-- Published, decided and recorded data never changes.
CREATE TRIGGER documents_no_update BEFORE UPDATE ON documents
BEGIN SELECT RAISE(ABORT, 'documents is append-only'); END;
CREATE TRIGGER documents_no_delete BEFORE DELETE ON documents
BEGIN SELECT RAISE(ABORT, 'documents is append-only'); END;
CREATE TRIGGER document_parts_no_update BEFORE UPDATE ON document_parts
BEGIN SELECT RAISE(ABORT, 'document_parts is append-only'); END;
CREATE TRIGGER document_parts_no_delete BEFORE DELETE ON document_parts
BEGIN SELECT RAISE(ABORT, 'document_parts is append-only'); END;
CREATE TRIGGER terms_no_update BEFORE UPDATE ON terms
BEGIN SELECT RAISE(ABORT, 'terms is append-only'); END;
CREATE TRIGGER terms_no_delete BEFORE DELETE ON terms
BEGIN SELECT RAISE(ABORT, 'terms is append-only'); END;
CREATE TRIGGER term_variants_no_update BEFORE UPDATE ON term_variants
BEGIN SELECT RAISE(ABORT, 'term_variants is append-only'); END;
CREATE TRIGGER term_variants_no_delete BEFORE DELETE ON term_variants
BEGIN SELECT RAISE(ABORT, 'term_variants is append-only'); END;
CREATE TRIGGER submissions_no_update BEFORE UPDATE ON submissions
BEGIN SELECT RAISE(ABORT, 'submissions is append-only'); END;
CREATE TRIGGER submissions_no_delete BEFORE DELETE ON submissions
BEGIN SELECT RAISE(ABORT, 'submissions is append-only'); END;
CREATE TRIGGER claims_no_update BEFORE UPDATE ON claims
BEGIN SELECT RAISE(ABORT, 'claims is append-only'); END;
CREATE TRIGGER claims_no_delete BEFORE DELETE ON claims
BEGIN SELECT RAISE(ABORT, 'claims is append-only'); END;
CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;
CREATE TRIGGER logs_no_update BEFORE UPDATE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;
CREATE TRIGGER logs_no_delete BEFORE DELETE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;
CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;
CREATE TRIGGER log_heads_no_update BEFORE UPDATE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;
CREATE TRIGGER log_heads_no_delete BEFORE DELETE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;
CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE ON log_tiles
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;
-- The last tile of a level grows at its end.
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles
WHEN NEW.log <> OLD.log OR NEW.level <> OLD.level OR NEW.idx <> OLD.idx
    OR NEW.width <= OLD.width OR NEW.width > 256
    OR substr(NEW.bytes, 1, length(OLD.bytes)) <> OLD.bytes
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER flag_versions_no_update BEFORE UPDATE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;
CREATE TRIGGER flag_versions_no_delete BEFORE DELETE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;
CREATE TRIGGER experiment_decisions_no_update BEFORE UPDATE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;
CREATE TRIGGER experiment_decisions_no_delete BEFORE DELETE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;

-- Triggers also link the rows that the previous version of the program writes. A restored row has its place already.
CREATE TRIGGER audit_linked AFTER INSERT ON audit
BEGIN INSERT OR IGNORE INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0); END;
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions
BEGIN
    INSERT OR IGNORE INTO chain_links (history, item, n)
    VALUES ('flags', NEW.environment, NEW.version);
END;
-- A place is set once.
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links
WHEN OLD.place IS NOT NULL OR NEW.history <> OLD.history OR NEW.item <> OLD.item OR NEW.n <> OLD.n
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;
CREATE TRIGGER chain_links_no_delete BEFORE DELETE ON chain_links
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;

-- People whose role or market changed since the gate feed read them. No event records these changes, and several
-- statements make them. A number is never used twice: the feed deletes the rows that it has read by number.
CREATE TABLE gate_touched (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL
);
CREATE TRIGGER gate_role_given AFTER INSERT ON user_roles WHEN NEW.role = 'rider'
BEGIN
    INSERT INTO gate_touched (user_id) SELECT NEW.user_id WHERE EXISTS (SELECT 1 FROM gate_head);
END;
CREATE TRIGGER gate_role_taken AFTER DELETE ON user_roles WHEN OLD.role = 'rider'
BEGIN
    INSERT INTO gate_touched (user_id) SELECT OLD.user_id WHERE EXISTS (SELECT 1 FROM gate_head);
END;
CREATE TRIGGER gate_moved AFTER UPDATE OF market ON users WHEN NEW.market IS NOT OLD.market
BEGIN
    INSERT INTO gate_touched (user_id) SELECT NEW.id WHERE EXISTS (SELECT 1 FROM gate_head);
END;
