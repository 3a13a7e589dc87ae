// @vitest-environment happy-dom

import { saveDraft } from "@musette/client/terms";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { SignInPage } from "./sign-in-page";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const session = vi.hoisted(() => ({
  userId: undefined as string | undefined,
  ended: false,
  setTokens: vi.fn(),
}));
vi.mock("../session/session", () => ({
  useUserId: () => session.userId,
  useEnded: () => session.ended,
  session: { setTokens: session.setTokens },
}));
vi.mock("../demo/demo-code", () => ({ demoCode: async () => undefined }));
const demo = vi.hoisted(() => ({
  riders: [] as { user_id: string; name: string; email?: string }[],
}));
vi.mock("../demo/demo", () => ({ demoRiders: async () => demo.riders }));

const tokens = { dhhToken: "access", refreshToken: "refresh", expires_in: 900 };
const send = vi.fn<typeof fetch>();
const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);

const show = () =>
  act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <SignInPage />
      </LanguageProvider>,
    ),
  );
const field = () => page.querySelector("input") as HTMLInputElement;
const button = (words: string) =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent === words);
const tap = (words: string) => act(async () => button(words)?.click());
const bodies = () => send.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
const codeSent = () => new Response('{"expires_in":600}', { status: 202 });
const problem = (status: number, code: string, headers = {}) =>
  new Response(JSON.stringify({ code }), {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });

async function type(text: string): Promise<void> {
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    set?.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function askForCode(): Promise<void> {
  send.mockResolvedValueOnce(codeSent());
  await show();
  await type("bram@example.test");
  await tap(en.signIn.send);
}

beforeEach(() => {
  session.userId = undefined;
  session.ended = false;
  demo.riders = [];
  session.setTokens.mockReset();
  send.mockReset();
  vi.stubGlobal("fetch", send);
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/sign-in?next=%2Fterms");
});
afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
  vi.useRealTimers();
});

it("submits the code once, as soon as it is complete", async () => {
  await askForCode();
  expect(field().autocomplete).toBe("one-time-code");
  expect(field().inputMode).toBe("numeric");
  let answer = (_: Response) => {};
  send.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  await type("Your code: 042 917");
  await tap(en.signIn.title);
  expect(bodies()).toEqual([
    { identifier: "bram@example.test" },
    { identifier: "bram@example.test", code: "042917" },
  ]);
  await act(async () => answer(Response.json(tokens)));
  expect(session.setTokens).toHaveBeenCalledWith({ dhhToken: "access", refreshToken: "refresh" });
  expect(sessionStorage).toHaveLength(0);
});

it("returns to the former page, replacing its own entry", async () => {
  const entries = window.history.length;
  await show();
  expect(window.location.pathname).toBe("/sign-in");
  session.userId = "rider-1";
  await show();
  expect(window.location.pathname).toBe("/terms");
  expect(window.history.length).toBe(entries);
});

it("does not send an impossible identifier", async () => {
  await show();
  await type("bram");
  await tap(en.signIn.send);
  expect(send).not.toHaveBeenCalled();
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.signIn.unusable);
  expect(document.activeElement).toBe(field());
});

it("lists the people of a demonstration, and fills in a chosen one", async () => {
  await show();
  expect(page.textContent).not.toContain(en.signIn.demoContacts);
  await act(async () => root.unmount());
  root = createRoot(page);
  demo.riders = [
    { user_id: "demo-rider-1", name: "Otto", email: "otto@example.test" },
    { user_id: "demo-rider-2", name: "Nobody's address" },
  ];
  await show();
  expect(page.textContent).toContain(en.signIn.demoContacts);
  expect(page.querySelectorAll(".demo-contacts button")).toHaveLength(1);
  await tap("Otto otto@example.test");
  expect(field().value).toBe("otto@example.test");
  expect(document.activeElement).toBe(field());
  send.mockResolvedValueOnce(codeSent());
  await tap(en.signIn.send);
  expect(bodies()).toEqual([{ identifier: "otto@example.test" }]);
});

it("says calmly that a code is wrong, and accepts the next one", async () => {
  await askForCode();
  send.mockResolvedValueOnce(problem(401, "code_invalid"));
  await type("000000");
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.signIn.wrongCode);
  expect(field().value).toBe("");
  send.mockResolvedValueOnce(Response.json(tokens));
  await type("042917");
  expect(session.setTokens).toHaveBeenCalledOnce();
});

it("keeps the typed text without a network", async () => {
  await askForCode();
  send.mockRejectedValueOnce(new TypeError("offline"));
  await type("042917");
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.failure.offline);
  expect(field().value).toBe("042917");
  send.mockResolvedValueOnce(Response.json(tokens));
  await tap(en.signIn.title);
  expect(session.setTokens).toHaveBeenCalledOnce();
});

it("waits as long as the server says, and shows the remaining time", async () => {
  vi.useFakeTimers();
  send.mockResolvedValueOnce(problem(429, "rate_limited", { "Retry-After": "75" }));
  await show();
  await type("+4930123456");
  await tap(en.signIn.send);
  expect(page.textContent).toContain(en.signIn.throttledFor("1:15"));
  await tap(en.signIn.send);
  expect(send).toHaveBeenCalledTimes(1);
  await act(async () => vi.advanceTimersByTime(75_000));
  expect(page.querySelector(".failure")).toBeNull();
  send.mockResolvedValueOnce(codeSent());
  await tap(en.signIn.send);
  expect(send).toHaveBeenCalledTimes(2);
});

it("sends another code after half a minute, and not before", async () => {
  vi.useFakeTimers();
  await askForCode();
  expect(button(en.signIn.resend)).toBeUndefined();
  expect(page.textContent).toContain(en.signIn.resendIn("0:30"));
  await act(async () => vi.advanceTimersByTime(30_000));
  send.mockResolvedValueOnce(codeSent());
  await tap(en.signIn.resend);
  expect(bodies()).toHaveLength(2);
  expect(page.textContent).toContain(en.signIn.resendIn("0:30"));
});

it("restores the code step after the phone has dropped the page, while the code is valid", async () => {
  vi.useFakeTimers();
  await askForCode();
  for (const [minutes, name] of [
    [9, "code"],
    [2, "identifier"],
  ] as const) {
    await act(async () => root.unmount());
    vi.advanceTimersByTime(minutes * 60_000);
    root = createRoot(page);
    await show();
    expect(field().name).toBe(name);
  }
});

it("lets the person correct the contact", async () => {
  await askForCode();
  await tap(en.signIn.change);
  expect(field().name).toBe("identifier");
  expect(field().value).toBe("bram@example.test");
  expect(sessionStorage).toHaveLength(0);
});

it("explains to a person whose session has ended why they are here", async () => {
  await show();
  expect(page.textContent).not.toContain(en.ended.text);
  await act(async () => root.unmount());
  root = createRoot(page);
  session.ended = true;
  await show();
  expect(page.querySelector(".ended")?.textContent).toBe(`${en.ended.title}. ${en.ended.text}`);
});

it("says what an ended session has not sent", async () => {
  session.ended = true;
  saveDraft("rider-1", "FREELANCER", new Map([[1, { accepted: true }]]), new Date());
  await show();
  expect(page.querySelector(".ended")?.textContent).toContain(en.ended.ticks);
  await act(async () => root.unmount());
  root = createRoot(page);
  localStorage.setItem("musette.pending", "1");
  await show();
  expect(page.querySelector(".ended")?.textContent).toContain(en.ended.waiting);
  expect(page.querySelector(".ended")?.textContent).not.toContain(en.ended.ticks);
});
