// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchKeepingLogOuts, LOGOUT_URL, startSendingLogOuts, useLeftOpen } from "./log-out";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const send = vi.fn<typeof fetch>();
const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const answer = (status: number) => async () => new Response(null, { status });
const body = (token: string) => JSON.stringify({ refresh_token: token });
const leave = (token?: string) =>
  fetchKeepingLogOuts(LOGOUT_URL, {
    method: "POST",
    credentials: "omit",
    headers: { Authorization: "Bearer access" },
    ...(token && { body: body(token) }),
  }).catch(() => undefined);
const settle = () => act(() => new Promise((done) => setTimeout(done)));
const returnOnline = async () => {
  window.dispatchEvent(new Event("online"));
  await settle();
};

startSendingLogOuts();

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", send.mockReset());
});
afterEach(() => vi.unstubAllGlobals());

it("is sent again on return, only with the token of its session and without cookies", async () => {
  send.mockImplementation(lost);
  await leave("first");
  expect(JSON.stringify(localStorage)).not.toContain("access");
  send.mockReset().mockImplementation(answer(204));
  await returnOnline();
  expect(send).toHaveBeenCalledExactlyOnceWith(LOGOUT_URL, {
    method: "POST",
    credentials: "omit",
    headers: { "Content-Type": "application/json" },
    body: body("first"),
  });
  await returnOnline();
  expect(send).toHaveBeenCalledOnce();
  expect(localStorage).toHaveLength(0);
});

it("is stored before it is sent, and survives a page that is closed meanwhile", async () => {
  send.mockReturnValueOnce(new Promise(() => {}));
  void leave("first");
  await settle();
  send.mockReset().mockImplementation(answer(204));
  await returnOnline();
  expect(send.mock.calls[0]?.[1]?.body).toBe(body("first"));
});

it("is removed once it is answered", async () => {
  send.mockImplementation(answer(204));
  await leave("first");
  expect(localStorage).toHaveLength(0);
});

it.each([
  [401, 1],
  [429, 2],
  [503, 2],
])("after %i it is sent %i times", async (status, times) => {
  send.mockImplementation(lost);
  await leave("first");
  send.mockReset().mockImplementation(answer(status));
  await returnOnline();
  await returnOnline();
  expect(send).toHaveBeenCalledTimes(times);
});

it("ends each of several sessions, and passes other requests through", async () => {
  send.mockImplementation(lost);
  await leave("first");
  await leave("second");
  send.mockReset().mockImplementation(answer(204));
  const init = { method: "DELETE" };
  await fetchKeepingLogOuts("/api/session/v1/sessions/x", init);
  expect(send).toHaveBeenCalledExactlyOnceWith("/api/session/v1/sessions/x", init);
  await returnOnline();
  expect(send.mock.calls.slice(1).map(([, sent]) => sent?.body)).toEqual([
    body("first"),
    body("second"),
  ]);
});

it("is not sent again without a token that scripts can read, and the page says so", async () => {
  const page = document.body.appendChild(document.createElement("main"));
  const root = createRoot(page);
  function Probe() {
    return useLeftOpen() ? "left open" : "ended";
  }
  await act(async () => root.render(<Probe />));
  expect(page.textContent).toBe("ended");
  send.mockImplementation(lost);
  await act(() => leave());
  expect(page.textContent).toBe("left open");
  expect(localStorage).toHaveLength(0);
  await returnOnline();
  expect(send).toHaveBeenCalledOnce();
  send.mockImplementation(answer(204));
  await act(() => leave());
  expect(page.textContent).toBe("ended");
  await act(async () => root.unmount());
});
