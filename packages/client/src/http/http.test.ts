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

function answer(status: number, body: unknown, type = "application/problem+json") {
  return async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), {
      status,
      headers: { "Content-Type": type },
    });
}

const failed = (fetch: typeof globalThis.fetch) =>
  requestJson(fetch, "/x").then(
    () => Promise.reject(new Error("it did not fail")),
    (error: HttpError) => error,
  );

it.each([
  [400, "ERR_BAD_REQUEST"],
  [404, "ERR_BAD_REQUEST"],
  [499, "ERR_BAD_REQUEST"],
  [500, "ERR_BAD_RESPONSE"],
  [503, "ERR_BAD_RESPONSE"],
])("%i: the message and code of the error catalogue", async (status, code) => {
  const error = await failed(answer(status, ""));
  expect(error).toBeInstanceOf(HttpError);
  expect(error.message).toBe(`Request failed with status code ${status}`);
  expect(error.code).toBe(code);
  expect(error.status).toBe(status);
});

it("carries the problem, and leaves the body to be read", async () => {
  const error = await failed(answer(409, problem));
  expect(error.problem).toEqual(problem);
  expect(await error.response.json()).toEqual(problem);
});

it("reads the problem also of an error that a session's fetch threw", async () => {
  const response = await answer(409, problem)();
  const cause = new Error("why");
  const error = await failed(async () => {
    throw new HttpError(response, undefined, { cause });
  });
  expect(error.problem?.code).toBe("terms_changed");
  expect(error.cause).toBe(cause);
});

it("a body that is cut off, or no problem at all, leaves the status", async () => {
  expect((await failed(answer(409, '{"code":'))).problem).toBeUndefined();
  expect((await failed(answer(502, "<html>", "text/html"))).problem).toBeUndefined();
});

it("a server that never answers is given up", async () => {
  vi.useFakeTimers();
  const hang: typeof globalThis.fetch = (_, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const outcome = failed(hang);
  await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS);
  expect((await outcome).name).toBe("AbortError");
});
