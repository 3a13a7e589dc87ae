-- A decision in a quarter of the bytes. Whose it is stands in its submission, the hash of the document in the published
-- term, and the text of the device's time in the log's entry; `consents` is a view that brings them together, and
-- takes rows as the table did.
CREATE TABLE decisions (
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    position BIGINT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    accepted BOOLEAN NOT NULL,
    consented_at BIGINT NOT NULL,
    -- The document: the position of the term's language. Of a document that is none of them, its hash.
    variant BIGINT,
    sha256 TEXT,
    -- As the device wrote it, where that is not the text of consented_at in UTC with milliseconds.
    consented_at_text TEXT,
    evidence TEXT NOT NULL,
    method TEXT,
    opened BOOLEAN,
    last_page BIGINT,
    PRIMARY KEY (submission, position),
    CHECK ((variant IS NULL) <> (sha256 IS NULL))
) WITHOUT ROWID;

INSERT INTO decisions (submission, position, term_id, accepted, consented_at, variant, sha256,
    consented_at_text, evidence, method, opened, last_page)
SELECT submission, position, term_id, accepted, consented_at, variant, iif(variant IS NULL, sha256, NULL),
    nullif(consented_at_text, strftime('%Y-%m-%dT%H:%M:%fZ', consented_at / 1000.0, 'unixepoch')),
    evidence, method, opened, last_page
FROM (SELECT c.*, (SELECT min(v.position) FROM term_variants AS v
    WHERE v.term_id = c.term_id AND v.sha256 = c.sha256) AS variant
    FROM consents AS c ORDER BY c.submission, c.position);

-- Nothing in it is anybody's secret, and overwriting gigabytes takes as long as writing them.
PRAGMA secure_delete = off;
DROP TABLE consents;
PRAGMA secure_delete = on;

-- Decisions come in the order of their submissions, so this one grows at one place for each term.
CREATE INDEX decisions_of_term ON decisions (term_id, submission, position, accepted);
-- Few decisions refuse.
CREATE INDEX decisions_refused ON decisions (submission, position) WHERE NOT accepted;
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

CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions is append-only'); END;
