-- Running servers listen for these notifications instead of polling (crates/store/src/changes.rs). Triggers, so that
-- servers of the version before and statements by hand notify too. Notifications of one transaction that are equal are
-- sent once, at its commit.
CREATE FUNCTION notify_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('musette_changes', '');
    RETURN NULL;
END
$$;
-- In the order in which transactions lock these tables.
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF next_at ON contact_notices
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF disabled_at ON webhooks
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER INSERT ON gate_touched
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER INSERT OR DELETE OR UPDATE OF seq ON gate_head
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER UPDATE ON sticky_head
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
CREATE TRIGGER notify_changes AFTER UPDATE ON revision
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
-- One row is updated for each batch of submissions, and locked until the commit: the lock that PostgreSQL takes to notify
-- makes no transaction wait longer.
CREATE TRIGGER notify_changes AFTER UPDATE OF seq ON outbox_head
    FOR EACH STATEMENT EXECUTE FUNCTION notify_changes();
