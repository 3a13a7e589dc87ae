-- From when on an admin who signs in by password needs a second factor; none: not said yet.
ALTER TABLE users ADD COLUMN second_factor_due BIGINT;
