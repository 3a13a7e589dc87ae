-- Whose role or market changed since the gate looked at them: of these there are no events. A trigger, since
-- several statements change them. A number is never given twice: what is looked at is deleted by it.
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
