-- Running servers listen for these notifications instead of polling (crates/store/src/changes.rs). Triggers, so that
-- servers of the version before and statements by hand notify too. Only of what changes seldom: a transaction that
-- notifies holds a lock of the whole PostgreSQL server until its commit has ended, and a commit may wait for a standby.
-- Of events and sticky assignments the server notifies after their commit.
CREATE FUNCTION notify_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('musette_changes', '');
    RETURN NULL;
END
$$;
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF next_at ON contact_notices
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF disabled_at ON webhooks
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER INSERT ON gate_touched
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER UPDATE ON revision
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
