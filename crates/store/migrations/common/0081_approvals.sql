-- How many colleagues must approve; the most precise rule counts.
CREATE TABLE approval_rules (
    -- terms or flags.
    kind TEXT NOT NULL,
    -- A type of terms, an environment, or *.
    scope TEXT NOT NULL,
    approvals BIGINT NOT NULL,
    PRIMARY KEY (kind, scope)
);
-- Who approved a draft of terms or a change of flags, as it was then.
CREATE TABLE approvals (
    -- terms or flags.
    kind TEXT NOT NULL,
    -- Id of the draft or change.
    object TEXT NOT NULL,
    -- Subject of the person.
    approver TEXT NOT NULL,
    -- Hash of what was approved, in lower-case hex; empty for what was sent back.
    sha256 TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- Why it was sent back.
    comment TEXT,
    PRIMARY KEY (kind, object, approver)
);
-- Everybody who has written a draft of terms: none of them may approve it.
CREATE TABLE draft_editors (
    draft TEXT NOT NULL,
    -- Subject of the person.
    editor TEXT NOT NULL,
    PRIMARY KEY (draft, editor)
);
