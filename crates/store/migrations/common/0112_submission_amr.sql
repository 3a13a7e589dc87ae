-- How the person had signed in to the session of a submission, as the log entry says it (RFC 8176), separated
-- by spaces. NULL: an applicant, an import, or an earlier version.
ALTER TABLE submissions ADD COLUMN amr TEXT;
