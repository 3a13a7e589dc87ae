-- What an auditor asks for: one kind of event, or all that one person did.
CREATE INDEX audit_of_event ON audit (event, at);
CREATE INDEX audit_of_actor ON audit (actor);
