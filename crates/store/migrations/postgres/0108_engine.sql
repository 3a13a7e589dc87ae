-- What only PostgreSQL has, beside the tables of both engines.

-- No index has a column that a refresh changes. With room on the page the new row is written beside the old one, and no
-- index changes.
ALTER TABLE sessions SET (fillfactor = 70);

-- The decisions of submissions.
CREATE TABLE consents (
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    position BIGINT NOT NULL,
    person TEXT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    accepted BOOLEAN NOT NULL,
    consented_at BIGINT NOT NULL,
    -- The text that the device sent.
    consented_at_text TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    evidence TEXT NOT NULL,
    method TEXT,
    opened BOOLEAN,
    last_page BIGINT,
    PRIMARY KEY (submission, position)
);
CREATE INDEX consents_of_person ON consents (person, submission);
-- Decisions arrive in the order of their submissions, so this index grows at one place for each term.
CREATE INDEX consents_of_term ON consents (term_id, submission, position, accepted, person);
-- Few decisions refuse, and an export of those must not read all others.
CREATE INDEX consents_refused ON consents (submission, position) WHERE NOT accepted;

-- The normalized text by which people are found. The program normalizes it, so that both engines find the same people.
CREATE TABLE people_search (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL
);

INSERT INTO flag_environments (name, version, created_at)
VALUES ('production', 0, (extract(epoch FROM now()) * 1000)::bigint);

-- Published, decided and recorded data never changes.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER documents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER document_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON document_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER terms_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON terms
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER term_variants_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON term_variants
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER submissions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON submissions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER consents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON consents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER claims_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON claims
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_heads
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erasures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON erasures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE OR TRUNCATE ON log_tiles
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The last tile of a level grows at its end.
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles FOR EACH ROW
    WHEN (NEW.log <> OLD.log OR NEW.level <> OLD.level OR NEW.idx <> OLD.idx
        OR NEW.width <= OLD.width OR NEW.width > 256
        OR substring(NEW.bytes FROM 1 FOR length(OLD.bytes)) <> OLD.bytes)
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER flag_versions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON flag_versions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER experiment_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
    ON experiment_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Triggers also link the rows that the previous version of the program writes. A restored row has its place already.
CREATE FUNCTION link_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION link_flag_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('flags', NEW.environment, NEW.version)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_linked AFTER INSERT ON audit
    FOR EACH ROW EXECUTE FUNCTION link_audit();
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions
    FOR EACH ROW EXECUTE FUNCTION link_flag_version();
-- A place is set once.
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links FOR EACH ROW
    WHEN (OLD.place IS NOT NULL OR NEW.history <> OLD.history OR NEW.item <> OLD.item
        OR NEW.n <> OLD.n)
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_links_no_delete BEFORE DELETE OR TRUNCATE ON chain_links
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- People whose role or market changed since the gate feed read them. No event records these changes, and several
-- statements make them. A number is never used twice: the feed deletes the rows that it has read by number.
CREATE TABLE gate_touched (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id TEXT NOT NULL
);
CREATE FUNCTION touch_gate() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;
CREATE TRIGGER gate_role_given AFTER INSERT ON user_roles
    FOR EACH ROW WHEN (NEW.role = 'rider') EXECUTE FUNCTION touch_gate();
CREATE TRIGGER gate_role_taken AFTER DELETE ON user_roles
    FOR EACH ROW WHEN (OLD.role = 'rider') EXECUTE FUNCTION touch_gate();
CREATE TRIGGER gate_moved AFTER UPDATE OF market ON users
    FOR EACH ROW WHEN (NEW.market IS DISTINCT FROM OLD.market) EXECUTE FUNCTION touch_gate();
