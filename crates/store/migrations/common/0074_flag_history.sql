-- What each version of a configuration changed, so that its history is read and searched without the
-- documents. Derived from them: a version without rows gets them later.
CREATE TABLE flag_version_objects (
    environment TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- A list of the document, or settings; empty in the one row of a version that changed nothing.
    section TEXT NOT NULL,
    key TEXT NOT NULL,
    -- added, removed, changed, switched_on, switched_off or nothing.
    change TEXT NOT NULL,
    -- Names of the members that differ, separated by blanks.
    fields TEXT NOT NULL,
    PRIMARY KEY (environment, version, section, key),
    FOREIGN KEY (environment, version) REFERENCES flag_versions (environment, version)
);
