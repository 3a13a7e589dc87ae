-- The reading of the device's clock and the correction that the app made, as the app sent them: evidence of when a
-- decision was made on a device with a wrong clock.
ALTER TABLE submissions ADD COLUMN clock_offset_ms BIGINT;
ALTER TABLE submissions ADD COLUMN device_at TEXT;
