const NEW_KEY = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether a new flag, segment, experiment or holdout may have this key. Older keys remain valid. */
export const isNewKey = (key: string): boolean => NEW_KEY.test(key);
