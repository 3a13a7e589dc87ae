-- What anybody can make happen without signing in, such as a wrong code: counted by the hour (since
-- 1970), since a row for each would grow as fast as somebody likes. No subject is ''.
CREATE TABLE audit_counts (
    hour BIGINT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Of the first of them.
    at BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (hour, event, subject, detail)
);
CREATE INDEX audit_counts_by_time ON audit_counts (at);
CREATE INDEX audit_counts_of_event ON audit_counts (event, at);
CREATE INDEX audit_counts_of_subject ON audit_counts (subject, at);
