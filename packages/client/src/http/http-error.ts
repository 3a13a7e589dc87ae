import type { Schema } from "../api";

/** An RFC 9457 problem, which is the body of every error response of the server. */
export type Problem = Schema<"ProblemBody">;

/** One error in a request body, with a JSON pointer to its position. */
export type ProblemEntry = Schema<"ProblemError">;

/** An error code: `ERR_BAD_REQUEST` for a status below 500, `ERR_BAD_RESPONSE` from 500. */
export type HttpErrorCode = "ERR_BAD_REQUEST" | "ERR_BAD_RESPONSE";

/**
 * The error for a response with an error status. Its message and code follow the specification's error
 * catalogue.
 *
 * @example
 * try {
 *   await requestJson(fetch, "/api/consents");
 * } catch (error) {
 *   if (error instanceof HttpError && error.problem?.code === "terms_changed") reloadTerms();
 * }
 */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly response: Response;
  /** The problem of the body. Undefined until `readProblem` or `requestJson` has read it, or if it has none. */
  problem: Problem | undefined;

  constructor(response: Response, problem?: Problem, options?: ErrorOptions) {
    super(`Request failed with status code ${response.status}`, options);
    this.name = "HttpError";
    this.code = response.status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE";
    this.status = response.status;
    this.response = response;
    this.problem = problem;
  }
}

/** Reads the problem from a response. Leaves the body unread for the caller. */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  if (response.bodyUsed || !response.headers.get("content-type")?.includes("problem+json")) {
    return undefined;
  }
  try {
    return (await response.clone().json()) as Problem;
  } catch {
    // The body was cut off in transit, so only the status is available.
    return undefined;
  }
}
