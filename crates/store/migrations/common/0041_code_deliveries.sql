-- How many one-time codes left, by the hour (since 1970), and why one last did not. Nobody's name.
CREATE TABLE code_deliveries (
    hour BIGINT NOT NULL PRIMARY KEY,
    sent BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    failed_at BIGINT,
    reason TEXT
);
