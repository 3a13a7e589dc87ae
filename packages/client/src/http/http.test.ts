import { afterEach, expect, it, vi } from "vitest";
import { HttpError } from "./http-error";
import { REQUEST_DEADLINE_MS, requestJson } from "./request-json";

afterEach(() => void vi.useRealTimers());

const problem = {
  type: "about:blank",
  title: "Conflict",
  status: 409,
  code: "terms_changed",
  detail: "…",
  request_id: "r",
};

function fetchReturning(status: number, body: unknown, type = "application/problem+json") {
  return async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), {
      status,
      headers: { "Content-Type": type },
    });
}

const catchError = (fetch: typeof globalThis.fetch) =>
  requestJson(fetch, "/x").then(
    () => Promise.reject(new Error("the request did not fail")),
    (error: HttpError) => error,
  );

it.each([
  [400, "ERR_BAD_REQUEST"],
  [404, "ERR_BAD_REQUEST"],
  [499, "ERR_BAD_REQUEST"],
  [500, "ERR_BAD_RESPONSE"],
  [503, "ERR_BAD_RESPONSE"],
])("%i: has the message and code of the error catalogue", async (status, code) => {
  const error = await catchError(fetchReturning(status, ""));
  expect(error).toBeInstanceOf(HttpError);
  expect(error.message).toBe(`Request failed with status code ${status}`);
  expect(error.code).toBe(code);
  expect(error.status).toBe(status);
});

it("contains the problem and leaves the body unread", async () => {
  const error = await catchError(fetchReturning(409, problem));
  expect(error.problem).toEqual(problem);
  expect(await error.response.json()).toEqual(problem);
});

it("reads the problem of an error that a session's fetch threw", async () => {
  const response = await fetchReturning(409, problem)();
  const cause = new Error("cause");
  const error = await catchError(async () => {
    throw new HttpError(response, undefined, { cause });
  });
  expect(error.problem?.code).toBe("terms_changed");
  expect(error.cause).toBe(cause);
});

it("has no problem if the body is cut off or is not a problem", async () => {
  expect((await catchError(fetchReturning(409, '{"code":'))).problem).toBeUndefined();
  expect((await catchError(fetchReturning(502, "<html>", "text/html"))).problem).toBeUndefined();
});

it("aborts a request that the server never answers", async () => {
  vi.useFakeTimers();
  const hangingFetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const outcome = catchError(hangingFetch);
  await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS);
  expect((await outcome).name).toBe("AbortError");
});
