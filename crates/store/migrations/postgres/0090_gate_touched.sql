-- Whose role or market changed since the gate looked at them: of these there are no events. A trigger, since
-- several statements change them. A number is never given twice: what is looked at is deleted by it.
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
