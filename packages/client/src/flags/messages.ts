// Host applications and their tests compare these texts. Do not change them.
export const NO_USER = "Can't request flags until you set a user context";
export const NO_FLAGS = "Can't request flags until you set a list of flags";
export const UNSUPPORTED = "Browser doesn't support Localstorage";
export const notCleared = (error: unknown) =>
  `There is an error clearing the user, error: ${(error as Error | undefined)?.message ?? error}`;
