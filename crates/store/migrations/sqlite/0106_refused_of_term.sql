-- Who refused a version is found among those who did. In a table without rowids each entry of decisions_of_term costs a
-- look at the decision, so a page of refusals went through all decisions on the term.
CREATE INDEX decisions_refused_of_term ON decisions (term_id, submission, position) WHERE NOT accepted;
