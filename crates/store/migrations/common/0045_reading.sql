-- What the console counts and looks up. Decisions come in the order of their submissions, so this one
-- grows at one place for each term.
CREATE INDEX consents_of_term ON consents (term_id, submission, position, accepted, person);
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);
