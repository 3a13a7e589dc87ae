// Hosts and tests of other programs compare these texts: do not reword them.
export const NO_USER = "Can't request flags until you set a user context";
export const NO_FLAGS = "Can't request flags until you set a list of flags";
export const UNSUPPORTED = "Browser doesn't support Localstorage";
export const notCleared = (error: unknown) =>
  `There is an error clearing the user, error: ${(error as Error | undefined)?.message ?? error}`;
