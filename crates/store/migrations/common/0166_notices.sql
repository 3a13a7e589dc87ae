-- When a notice, or another version of terms, reached a person through a channel.
CREATE TABLE notice_receptions (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    channel TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (person, term_id)
);
CREATE INDEX notice_receptions_of_term ON notice_receptions (term_id, person);

-- When a person opened a notice, with the place of the entry that proves it.
CREATE TABLE notice_openings (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    sha256 TEXT NOT NULL,
    locale TEXT,
    -- By the clock of the device, and by that of the server.
    opened_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (person, term_id)
);
CREATE INDEX notice_openings_of_term ON notice_openings (term_id, person);

-- Where the push service of a person's browser takes messages for it.
CREATE TABLE push_subscriptions (
    person TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    id TEXT NOT NULL,
    endpoint TEXT NOT NULL UNIQUE,
    -- Public key and secret of the browser, in base64url.
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (person, id)
);
