-- The ML-DSA-44 key (C2SP tlog-cosignature, type 0x06) of each log that ever signed with one. It stays when
-- the log no longer signs with it, because its receipts stay.
CREATE TABLE log_ml_dsa_keys (
    log BIGINT NOT NULL PRIMARY KEY REFERENCES logs (id),
    vkey TEXT NOT NULL
);
-- Whether the log signs with its ML-DSA-44 key too. All nodes and commands follow it.
ALTER TABLE log_key ADD COLUMN ml_dsa BOOLEAN NOT NULL DEFAULT FALSE;
CREATE TRIGGER log_ml_dsa_keys_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
    ON log_ml_dsa_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
