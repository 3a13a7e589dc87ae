-- Keyed hash of the secret that the asking browser holds: its guesses count apart from all others.
ALTER TABLE codes ADD COLUMN proof TEXT;

-- When each of somebody's messages left, so that an hour and a day have no more than they may.
CREATE TABLE allowances (
    key TEXT NOT NULL PRIMARY KEY,
    taken TEXT NOT NULL,
    forget_at BIGINT NOT NULL
);
CREATE INDEX allowances_by_age ON allowances (forget_at);

-- Browsers that have signed somebody in: a keyed hash of the browser's secret and the person.
CREATE TABLE known_browsers (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seen_at BIGINT NOT NULL
);
CREATE INDEX known_browsers_of_user ON known_browsers (user_id, seen_at);
CREATE INDEX known_browsers_by_age ON known_browsers (seen_at);

-- Ways back from the company's provider that were taken: each works once.
CREATE TABLE oidc_returns (
    hash TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX oidc_returns_by_age ON oidc_returns (expires_at);
