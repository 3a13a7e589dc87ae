/** An RFC 9457 problem, as every error of the server is told. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly ProblemEntry[];
}

export interface ProblemEntry {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  /** With `terms_changed`: the terms that are in effect instead. */
  readonly replaced_by?: readonly number[];
}

export type HttpErrorCode = "ERR_BAD_REQUEST" | "ERR_BAD_RESPONSE";

/** An answer that is no success. Message and code are those of the error catalogue of the specification. */
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
