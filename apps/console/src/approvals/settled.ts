import { HttpError } from "@musette/client/http";

/** Somebody else was faster: it was edited, decided or discarded since it was read. */
export const isSettled = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 404 || error.status === 409);

/** Whoever edited it before the last editor is refused only now. */
export const isOwnChange = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === "own_change";
