import { HttpError } from "@musette/client/http";

/** Whether another person has edited, decided or discarded it since it was read. */
export const isSettled = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 404 || error.status === 409);

/**
 * Whether the person edited the change themselves. The console only knows the last editor, so for
 * earlier editors the error comes only with the server's answer.
 */
export const isOwnChange = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === "own_change";
