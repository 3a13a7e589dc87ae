import type { Schema } from "../api";

/** An RFC 9457 problem: the body of every error of the server. */
export type Problem = Schema<"ProblemBody">;

/** One fault of a request body, at a JSON pointer. */
export type ProblemEntry = Schema<"Fault">;

/** The codes of the specification's error catalogue: 4xx is a bad request, 5xx a bad response. */
export type HttpErrorCode = "ERR_BAD_REQUEST" | "ERR_BAD_RESPONSE";

/**
 * A response that is no success. Message and code are those of the specification's error catalogue.
 */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly response: Response;
  /** Known once somebody has read the body. */
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

/** The problem in a response, whose own body stays unread for the caller. */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  if (response.bodyUsed || !response.headers.get("content-type")?.includes("problem+json")) {
    return undefined;
  }
  try {
    return (await response.clone().json()) as Problem;
  } catch {
    // A body cut off on its way: the status alone has to do.
    return undefined;
  }
}
