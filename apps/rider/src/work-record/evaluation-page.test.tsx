// @vitest-environment happy-dom
import { HttpError } from "@musette/client/http";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { ContestPage } from "./contest-page";
import { pendingContest } from "./contest-queue";
import type { EvaluationDetail } from "./evaluation";
import { EvaluationPage } from "./evaluation-page";
import { evaluation, version } from "./testing/evaluations";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const fake = vi.hoisted(() => ({
  userId: "rider-1" as string | undefined,
  fetch: vi.fn<typeof fetch>(),
}));
vi.mock("../session/session", () => ({
  useUserId: () => fake.userId,
  useEnded: () => false,
  useSuspended: () => false,
  session: {
    fetch: fake.fetch,
    getState: () => ({ userId: fake.userId }),
    getToken: () => `h.${btoa(JSON.stringify({ sid: "s1" }))}.s`,
  },
}));

let current: EvaluationDetail;
let posted: { readonly path: string; readonly body: unknown; readonly key: string | null }[];
let refusal: { readonly status: number; readonly code: string } | undefined;

const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);
const show = (Page: typeof EvaluationPage) =>
  act(async () => {
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <Page />
      </LanguageProvider>,
    );
  });
const settle = () => act(() => new Promise((done) => setTimeout(done, 20)));
const button = (label: string) =>
  [...page.querySelectorAll<HTMLElement>("button, a")].find((one) => one.textContent === label);
const press = async (label: string) => {
  await act(async () => button(label)?.click());
  await settle();
};
const write = (selector: string, value: string) =>
  act(async () => {
    const field = page.querySelector<HTMLTextAreaElement>(selector);
    if (!field) throw new Error(`There is no ${selector}`);
    const prototype = Object.getPrototypeOf(field);
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-22T12:00:00.000Z"), toFake: ["Date"] });
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  localStorage.clear();
  current = evaluation();
  posted = [];
  refusal = undefined;
  window.location.hash = current.id;
  fake.fetch.mockImplementation(async (url, init) => {
    if (init?.method === undefined) return Response.json(current);
    const path = String(url).split(`${current.id}/`)[1] ?? "";
    const key = new Headers(init.headers).get("Idempotency-Key");
    posted.push({ path, key, body: JSON.parse(String(init.body ?? "null")) });
    if (!refusal) return Response.json(current);
    const { status, code } = refusal;
    throw new HttpError(new Response(JSON.stringify({ code }), { status }), { code } as never);
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
  vi.useRealTimers();
});

it("shows what was recorded, why, who decided, and until when, in this order", async () => {
  await show(EvaluationPage);
  const headings = [...page.querySelectorAll("h2")].map(({ textContent }) => textContent);
  const { recorded, why, who, until } = en.work;
  expect(headings.slice(0, 4)).toEqual([recorded, why, who, until]);
  expect(page.textContent).toContain("12 minutes");
  expect(page.textContent).toContain("Started late");
  expect(page.textContent).toContain("A program: order-dispatch, version 7.2");
  expect(button(en.work.contest)?.getAttribute("href")).toBe(`/contest#${current.id}`);
});

it("confirms once, also after a lost answer", async () => {
  await show(EvaluationPage);
  refusal = { status: 503, code: "unavailable" };
  await press(en.work.confirm);
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.failure.server);
  refusal = undefined;
  await press(en.work.confirm);
  expect(posted.map(({ path, body }) => [path, body])).toEqual([
    ["acceptance", { version: 2 }],
    ["acceptance", { version: 2 }],
  ]);
  expect(posted[0]?.key).toBe(posted[1]?.key);
  expect(page.textContent).toContain(en.work.confirmed);
});

it("shows the new version when another one was confirmed", async () => {
  await show(EvaluationPage);
  refusal = { status: 409, code: "conflict" };
  current = evaluation({ status: "NO_SHOW", version: 3 });
  await press(en.work.confirm);
  expect(page.querySelector("[data-status]")?.textContent).toBe(en.work.status.NO_SHOW);
  expect(button(en.work.confirm)).toBeUndefined();
});

it("shows the discussion with its due date, and withdraws after a second press", async () => {
  const discussion = {
    opened_by: "rider",
    opened_at: "2026-11-21T10:00:00.000Z",
    round: 1,
    contested: "EVALUATED",
    figures: { late_by_seconds: 0 },
    messages: [
      { id: "m1", from: "rider", message: "I was there.", at: "2026-11-21T10:00:00.000Z" },
    ],
    closed_at: null,
  } as const;
  current = evaluation({
    status: "IN_DISCUSSION",
    answer_due: "2026-12-05T10:00:00.000Z",
    discussion,
    history: [version(), version({ version: 3, to: "IN_DISCUSSION", by: { kind: "rider" } })],
  });
  await show(EvaluationPage);
  expect(page.textContent).toContain("December 5, 2026");
  expect(page.querySelector(".work-thread")?.textContent).toContain("I was there.");
  expect(button(en.work.contest)).toBeUndefined();
  await press(en.work.withdraw);
  expect(posted).toEqual([]);
  await press(en.work.withdraw);
  expect(posted.map(({ path }) => path)).toEqual(["discussion"]);
});

it("asks for a longer message before it sends anything", async () => {
  await show(ContestPage);
  await write("textarea", "Wrong");
  await press(en.work.sendContest);
  expect(posted).toEqual([]);
  const field = page.querySelector("textarea");
  expect(field?.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field);
});

it("keeps the text over a reload, and sends it with the stated times", async () => {
  await show(ContestPage);
  await write("textarea", "I waited at the gate.");
  await act(async () => root.unmount());
  root = createRoot(page);
  await show(ContestPage);
  expect(page.querySelector("textarea")?.value).toBe("I waited at the gate.");
  const planned = new Date(current.subject.starts_at);
  const time = `${String(planned.getHours()).padStart(2, "0")}:${String(planned.getMinutes()).padStart(2, "0")}`;
  await write("input[type=time]", time);
  await press(en.work.sendContest);
  expect(posted.map(({ path, body }) => [path, body])).toEqual([
    [
      "discussion",
      { version: 2, message: "I waited at the gate.", figures: { late_by_seconds: 0 } },
    ],
  ]);
  expect(window.location.pathname).toBe("/evaluation");
  expect(await pendingContest("rider-1", current.id)).toBeUndefined();
});

it("stores a contest without a network, and says that it is not sent yet", async () => {
  await show(ContestPage);
  vi.stubGlobal("navigator", { ...navigator, languages: ["en"], onLine: false });
  fake.fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await write("textarea", "I waited at the gate.");
  await press(en.work.sendContest);
  expect(page.textContent).toContain(en.work.unsent);
  expect(page.querySelector("textarea")).toBeNull();
  expect((await pendingContest("rider-1", current.id))?.unsent).toBe(true);
  await press(en.work.takeBack);
  expect(await pendingContest("rider-1", current.id)).toBeUndefined();
  expect(page.querySelector("textarea")?.value).toBe("I waited at the gate.");
});

it("explains a rejection and keeps the text", async () => {
  await show(ContestPage);
  refusal = { status: 409, code: "contest_closed" };
  await write("textarea", "I waited at the gate.");
  await press(en.work.sendContest);
  expect(page.textContent).toContain(en.work.rejections.closed);
  expect(page.querySelector("textarea")?.value).toBe("I waited at the gate.");
});

it("warns before it sends a contest that will be late", async () => {
  current = evaluation({ contest_until: "2026-11-22T11:00:00.000Z" });
  await show(ContestPage);
  expect(page.querySelector(".work-form .failure")?.textContent).toContain("is late");
});

it("says that a record does not exist", async () => {
  const answer = new Response("{}", { status: 404 });
  fake.fetch.mockRejectedValue(new HttpError(answer, { code: "not_found" } as never));
  await show(EvaluationPage);
  expect(page.textContent).toContain(en.work.missing);
});
