// @vitest-environment happy-dom
import {
  findPending,
  keepPending,
  type Submission,
  type SubmissionAnswer,
  type Term,
} from "@musette/client/terms";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { createAttempt, type Decider } from "../terms/decide";
import { en as firstTexts } from "../texts/generated/en";
import { AgreementCard } from "./agreement-card";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
  session: { fetch: (...call: Parameters<typeof fetch>) => fetch(...call) },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const term: Term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
};
const recordedAt = "2026-11-21T09:30:00.000Z";
const decision = { termId: 15, accepted: true, recordedAt, receiptId: "first", term };
const answer: SubmissionAnswer = {
  user_id: "",
  user_type: "APPLICANT",
  consents: [{ terms_and_conditions_id: 15, accepted: false, consented_at: recordedAt }],
  recorded_at: recordedAt,
  receipt: { id: "second" },
};
const send = vi.fn<typeof fetch>();
const decided = vi.fn<(answer: SubmissionAnswer) => void>();
const root = createRoot(document.body.appendChild(document.createElement("main")));
const other = createRoot(document.body.appendChild(document.createElement("aside")));
const applicant = { userId: undefined, receiptId: "first" };

async function show(
  mandatory: boolean,
  { decider = applicant as Omit<Decider, "locale">, accepted = true, page = root } = {},
): Promise<void> {
  await act(async () =>
    page.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <AgreementCard
          agreement={{
            term: { ...term, mandatory },
            decision: { ...decision, accepted },
          }}
          outcome={accepted ? "agreed" : "withdrew"}
          decider={decider}
          onDecided={decided}
        />
      </LanguageProvider>,
    ),
  );
  await settle();
}

/** Unmounts the page, with everything that it has in memory. */
async function leave(): Promise<void> {
  await act(async () => root.render(null));
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await act(() => new Promise((done) => setTimeout(done)));
}

const toggle = () => document.querySelector<HTMLInputElement>("input[role=switch]");
const again = () =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === en.tryAgain);
const alert = () => document.querySelector("[role=alert]")?.textContent;
const tap = async (element: HTMLElement | null | undefined) => {
  await act(async () => element?.click());
  await settle();
};
const sentIn = (call: number): Submission => JSON.parse(String(send.mock.calls[call]?.[1]?.body));
const confirmed = () => Promise.resolve(Response.json(answer, { status: 201 }));
const lost = () => Promise.reject(new TypeError("offline"));
const keyOf = (call: number) =>
  new Headers(send.mock.calls[call]?.[1]?.headers).get("Idempotency-Key");

beforeEach(() => {
  send.mockReset();
  decided.mockReset();
  vi.stubGlobal("fetch", send);
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
});
afterEach(async () => {
  await leave();
  await act(async () => other.render(null));
});

it("withdraws with one tap", async () => {
  send.mockImplementation(confirmed);
  await show(false);
  await tap(toggle());
  expect(send).toHaveBeenCalledTimes(1);
  expect(sentIn(0)).toMatchObject({ receipt_id: "first", consents: [{ accepted: false }] });
  expect(decided).toHaveBeenCalledWith(answer);
});

it("ignores a second tap while the first is being sent", async () => {
  send.mockReturnValue(new Promise(() => undefined));
  await show(false);
  await tap(toggle());
  await tap(toggle());
  expect(send).toHaveBeenCalledTimes(1);
  expect(toggle()?.checked).toBe(false);
});

it("returns to the former state after an error, and retries with the same key", async () => {
  send.mockImplementationOnce(lost);
  await show(false);
  await tap(toggle());
  expect(toggle()?.checked).toBe(true);
  expect(alert()).toMatch(/^What you chose here on .* is not confirmed. Try again/);

  send.mockImplementation(confirmed);
  await tap(again());
  expect(keyOf(1)).toBe(keyOf(0));
  expect(send.mock.calls[1]?.[1]?.body).toBe(send.mock.calls[0]?.[1]?.body);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

it("is confirmed without a tap once the network is back", async () => {
  send.mockImplementationOnce(lost);
  await show(false);
  await tap(toggle());
  send.mockImplementation(confirmed);
  await act(async () => void window.dispatchEvent(new Event("online")));
  await settle();
  expect(keyOf(1)).toBe(keyOf(0));
  expect(decided).toHaveBeenCalledWith(answer);
  expect(alert()).toBeUndefined();
});

it("shows no switch for a mandatory term", async () => {
  await show(true);
  expect(toggle()).toBeNull();
});

describe("a press whose answer was lost", () => {
  const newest = () => send.mock.calls.length - 1;

  async function pressAndLose(decider: Omit<Decider, "locale"> = applicant): Promise<void> {
    send.mockImplementationOnce(lost);
    await show(false, { decider });
    await tap(toggle());
    await leave();
    decided.mockReset();
  }

  it("is sent again after a reload with the same key and bytes, and only once", async () => {
    await pressAndLose();
    send.mockImplementation(confirmed);
    await show(false);
    expect(send).toHaveBeenCalledTimes(2);
    expect(keyOf(1)).toBe(keyOf(0));
    expect(sentIn(1)).toEqual(sentIn(0));
    expect(decided).toHaveBeenCalledWith(answer);
    await leave();
    await show(false, { accepted: false });
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("is stored before it is sent, and survives a page that is closed meanwhile", async () => {
    send.mockReturnValueOnce(new Promise(() => undefined));
    await show(false);
    await tap(toggle());
    await leave();
    send.mockImplementation(confirmed);
    await show(false);
    expect(keyOf(1)).toBe(keyOf(0));
  });

  it("is retried in its own direction, whatever the switch shows by now", async () => {
    await pressAndLose();
    send.mockImplementationOnce(lost);
    // The submission was recorded, as the server says, but the answer to the press is still
    // missing.
    await show(false, { accepted: false });
    expect(toggle()?.checked).toBe(false);
    send.mockImplementation(confirmed);
    await tap(again());
    expect(keyOf(newest())).toBe(keyOf(0));
    expect(sentIn(newest()).consents[0]?.accepted).toBe(false);
  });

  it("is replaced by a press in the other direction", async () => {
    await pressAndLose();
    send.mockImplementationOnce(lost);
    await show(false, { accepted: false });
    send.mockImplementation(confirmed);
    await tap(toggle());
    expect(keyOf(newest())).not.toBe(keyOf(0));
    expect(sentIn(newest()).consents[0]?.accepted).toBe(true);
    expect(await findPending({})).toEqual([]);
  });

  it("is sent by a second tab with the same key", async () => {
    send.mockImplementation(lost);
    await show(false);
    await show(false, { page: other });
    const switches = document.querySelectorAll<HTMLInputElement>("input[role=switch]");
    await tap(switches[0]);
    await tap(switches[1]);
    expect(send).toHaveBeenCalledTimes(2);
    expect(keyOf(1)).toBe(keyOf(0));
  });

  it.each([
    ["another rider", { userId: "r2", receiptId: undefined }],
    ["an applicant", { userId: undefined, receiptId: "somebody else's" }],
  ])("is not sent by %s", async (_, decider) => {
    await pressAndLose({ userId: "r1", receiptId: undefined });
    await show(false, { decider });
    expect(send).toHaveBeenCalledTimes(1);
    expect(alert()).toBeUndefined();
    send.mockImplementation(confirmed);
    await tap(toggle());
    expect(keyOf(1)).not.toBe(keyOf(0));
    expect(await findPending({ userId: "r1" })).toHaveLength(1);
  });

  it("is ignored by the consent screen", async () => {
    await pressAndLose();
    expect(await findPending({ termsType: "FREELANCER" })).toEqual([]);
  });

  it("is not sent again when the server may have forgotten its key", async () => {
    const old = new Date(Date.now() - 8 * 24 * 3600_000);
    const attempt = createAttempt(false, term, { ...applicant, locale: "en" }, old);
    await keepPending(attempt);
    await show(false);
    expect(send).not.toHaveBeenCalled();
    expect(alert()).toMatch(/too long ago/);
    send.mockImplementation(confirmed);
    await tap(toggle());
    expect(keyOf(0)).not.toBe(attempt.key);
    expect(await findPending({})).toEqual([]);
  });

  it("is sent after an older decision of the same account", async () => {
    const rider = { userId: "r1", receiptId: undefined };
    const consent = {
      ...createAttempt(true, term, { ...rider, locale: "en" }, new Date(Date.now() - 60_000)),
      termsType: "FREELANCER",
    };
    await keepPending(consent);
    await show(false, { decider: rider });
    send.mockImplementationOnce(lost);
    await tap(toggle());
    // If it were recorded after the newer submission, it would restore the consent that was
    // withdrawn.
    expect([0, 1].map(keyOf)).toEqual([consent.key, null]);
    send.mockImplementation(confirmed);
    await tap(again());
    expect(keyOf(1)).toBe(consent.key);
    expect(sentIn(2).consents[0]?.accepted).toBe(false);
    expect(await findPending({ userId: "r1" })).toEqual([]);
  });

  it("keeps a refused press refused, and uses a new key for the next one", async () => {
    const problem = { code: "terms_changed", status: 409 };
    const init = { status: 409, headers: { "Content-Type": "application/problem+json" } };
    send.mockResolvedValueOnce(new Response(JSON.stringify(problem), init));
    await show(false);
    await tap(toggle());
    expect(alert()).toBe(en.failure.changed);
    expect(await findPending({})).toEqual([]);
    send.mockImplementation(confirmed);
    await tap(toggle());
    expect(keyOf(1)).not.toBe(keyOf(0));
  });
});
