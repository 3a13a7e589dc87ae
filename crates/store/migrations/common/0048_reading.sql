-- Few decisions refuse: an export of these is not to go through all the others.
CREATE INDEX consents_refused ON consents (submission, position) WHERE NOT accepted;

-- With the id it gives the order of a page, also to PostgreSQL before it has counted its rows.
DROP INDEX audit_of_event;
CREATE INDEX audit_of_event ON audit (event, at, id);
