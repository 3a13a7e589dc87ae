/** The server's minimum, without leading and trailing spaces. */
export const CHARACTERS_MIN = 12;

/** Whether the server would refuse it as too short. */
export const isTooShort = (password: string): boolean =>
  [...password.trim()].length < CHARACTERS_MIN;
