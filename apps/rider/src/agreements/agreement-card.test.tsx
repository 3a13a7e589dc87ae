// @vitest-environment happy-dom
import type { SubmissionAnswer, Term } from "@musette/client/terms";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language-context";
import { english } from "../language/languages";
import { en } from "../texts/en";
import { AgreementCard } from "./agreement-card";

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

async function show(mandatory: boolean): Promise<void> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <AgreementCard
          agreement={{ term: { ...term, mandatory }, decision, current: true }}
          outcome="agreed"
          decider={{ userId: undefined, receiptId: "first" }}
          onDecided={decided}
        />
      </LanguageProvider>,
    ),
  );
}

const toggle = () => document.querySelector<HTMLInputElement>("input[role=switch]");
const tap = (element: HTMLElement | null | undefined) => act(async () => element?.click());
const keyOf = (call: number) =>
  new Headers(send.mock.calls[call]?.[1]?.headers).get("Idempotency-Key");

beforeEach(() => {
  send.mockReset();
  decided.mockReset();
  vi.stubGlobal("fetch", send);
});
afterEach(() => act(async () => root.render(null)));

it("withdraws with one tap", async () => {
  send.mockResolvedValue(Response.json(answer, { status: 201 }));
  await show(false);
  await tap(toggle());
  expect(send).toHaveBeenCalledTimes(1);
  const sent = JSON.parse(String(send.mock.calls[0]?.[1]?.body));
  expect(sent).toMatchObject({ receipt_id: "first", consents: [{ accepted: false }] });
  expect(decided).toHaveBeenCalledWith(answer);
});

it("takes no second tap while the first is on its way", async () => {
  send.mockReturnValue(new Promise(() => undefined));
  await show(false);
  await tap(toggle());
  await tap(toggle());
  expect(send).toHaveBeenCalledTimes(1);
  expect(toggle()?.checked).toBe(false);
});

it("goes back and says so when it fails, and tries again as the same attempt", async () => {
  send.mockRejectedValueOnce(new TypeError("offline"));
  await show(false);
  await tap(toggle());
  expect(toggle()?.checked).toBe(true);
  expect(document.querySelector("[role=alert]")?.textContent).toBe(en.failure.offline);

  send.mockResolvedValue(Response.json(answer, { status: 201 }));
  const again = [...document.querySelectorAll("button")].find(
    (button) => button.textContent === en.tryAgain,
  );
  await tap(again);
  expect(keyOf(1)).toBe(keyOf(0));
  expect(send.mock.calls[1]?.[1]?.body).toBe(send.mock.calls[0]?.[1]?.body);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

it("offers no switch for what is required", async () => {
  await show(true);
  expect(toggle()).toBeNull();
});
