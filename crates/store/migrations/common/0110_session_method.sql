-- How the person signed in, and when they last proved who they are. NULL: an earlier version opened the session.
ALTER TABLE sessions ADD COLUMN method TEXT;
ALTER TABLE sessions ADD COLUMN authenticated_at BIGINT;
