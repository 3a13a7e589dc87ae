-- The steps of an authenticator that were used lately, newest first: |9|7|. They are refused again also after
-- the clock was set back.
ALTER TABLE totp ADD COLUMN used_steps TEXT;
