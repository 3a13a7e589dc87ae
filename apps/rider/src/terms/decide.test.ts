import { keepPending, type Submission, type Term } from "@musette/client/terms";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { createAttempt, isToAgree, waitingAttempt } from "./decide";

const term: Term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
  sha256: "ab",
};
const at = new Date("2026-11-21T09:30:00.000Z");
const submissionOf = (attempt: { readonly body: string }): Submission => JSON.parse(attempt.body);

beforeEach(() => {
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  const stored = JSON.stringify([{ id: "second", root: "first" }]);
  vi.stubGlobal("localStorage", { getItem: () => stored });
});

it("withdraws a rider's consent under their id, and never with a receipt", () => {
  const attempt = createAttempt(false, term, { userId: "r1", receiptId: "x", locale: "de" }, at);
  expect(submissionOf(attempt)).toEqual({
    user_id: "r1",
    user_type: "RIDER",
    consents: [
      {
        terms_and_conditions_id: 15,
        accepted: false,
        consented_at: "2026-11-21T09:30:00.000Z",
        sha256: "ab",
        method: "tick",
      },
    ],
    locale: "de",
    app: "musette-rider",
  });
  expect(isToAgree(attempt)).toBe(false);
});

it("withdraws an applicant's consent with the receipt of their submission", () => {
  const by = { userId: undefined, receiptId: "secret", locale: "en" };
  expect(submissionOf(createAttempt(false, term, by, at))).toMatchObject({
    user_id: "",
    user_type: "APPLICANT",
    receipt_id: "secret",
  });
});

it("gives each tap a new key, long enough for a caller without a session", () => {
  const by = { userId: undefined, receiptId: "secret", locale: "en" };
  const keys = [createAttempt(true, term, by, at).key, createAttempt(true, term, by, at).key];
  expect(new Set(keys).size).toBe(2);
  expect(keys[0]?.length).toBeGreaterThanOrEqual(22);
});

it("finds waiting decisions of the same account or application about the same term only", async () => {
  const rider = { userId: "r1", receiptId: undefined, locale: "en" };
  const applicant = { userId: undefined, receiptId: "first", locale: "en" };
  const [byRider, byApplicant] = [rider, applicant].map((by) => createAttempt(false, term, by, at));
  await keepPending(byRider as never);
  await keepPending(byApplicant as never);
  const waitingKey = async (over: object, termId = 15) =>
    (await waitingAttempt(termId, { ...rider, ...over }))?.key;

  expect(await waitingKey({})).toBe(byRider?.key);
  expect(await waitingKey({}, 16)).toBeUndefined();
  expect(await waitingKey({ userId: "r2" })).toBeUndefined();
  expect(await waitingKey({ userId: undefined, receiptId: "first" })).toBe(byApplicant?.key);
  // Another receipt of the same applicant, known to this phone.
  expect(await waitingKey({ userId: undefined, receiptId: "second" })).toBe(byApplicant?.key);
  expect(await waitingKey({ userId: undefined, receiptId: "somebody else's" })).toBeUndefined();
});
