export { isFrugal } from "./connection";
export {
  HttpError,
  type HttpErrorCode,
  type Problem,
  type ProblemEntry,
  readProblem,
} from "./http-error";
export { type Fetch, REQUEST_DEADLINE_MS, requestJson } from "./request-json";
