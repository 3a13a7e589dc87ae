// @vitest-environment happy-dom
import { HttpError, type Problem } from "@musette/client/http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../client/src/terms/testing/indexed-db";
import { click, passTime, settle } from "../testing/mount";
import { answer, stage, term } from "./consent-stage";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
});

function httpError(status: number, code: string, seconds?: number): HttpError {
  const headers: HeadersInit = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return new HttpError(new Response(null, { status, headers }), { code, status } as Problem);
}

const lost = new TypeError("Failed to fetch");

it("sends one entry per term and passes the response to onAccepted", async () => {
  const { box, accept, submitConsents, onAccepted, footer } = await stage({ app: "fleet/1" });
  await click(box(1));
  await click(box(2));
  await click(accept());
  await settle();
  const [submission, options] = submitConsents.mock.calls[0] ?? [];
  expect(submission).toMatchObject({ user_id: "", user_type: "APPLICANT", app: "fleet/1" });
  expect(
    submission?.consents.map((entry) => [entry.terms_and_conditions_id, entry.accepted]),
  ).toEqual([
    [1, true],
    [2, true],
    [3, false],
  ]);
  expect(submission?.consents[0]?.method).toBe("tick");
  expect(submission?.consents[0]?.consented_at).toMatch(/^\d{4}-.+\.\d{3}Z$/);
  expect(options?.idempotencyKey.length).toBeGreaterThanOrEqual(22);
  expect(onAccepted.mock.calls).toEqual([[answer]]);
  expect(footer()).toBe("Your decision is recorded.");
  expect(Object.keys(sessionStorage)).toEqual(["musette-visit"]);
});

it("is locked and busy while sending, and sends once for two taps", async () => {
  const { box, accept, submitConsents, state, footer } = await stage();
  submitConsents.mockReturnValue(new Promise(() => {}));
  await click(box("all"));
  await click(accept());
  await click(accept());
  expect([state(), footer(), accept()?.disabled]).toEqual(["sending", "Sending", true]);
  expect(accept()?.getAttribute("aria-busy")).toBe("true");
  expect([box("all")?.disabled, box(1)?.disabled]).toEqual([true, true]);
  expect(submitConsents).toHaveBeenCalledOnce();
});

describe("without a response for 15 s", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  async function submitAndWait() {
    const staged = await stage();
    let arrive = (_: typeof answer) => {};
    const first = new Promise<typeof answer>((resolve) => {
      arrive = resolve;
    });
    staged.submitConsents.mockReturnValueOnce(first);
    await click(staged.box("all"));
    await click(staged.accept());
    await passTime(14_000);
    expect([staged.state(), staged.alertText()]).toEqual(["sending", undefined]);
    await passTime(1_500);
    expect(staged.alertText()).toMatch(/longer than usual.+nothing is recorded twice/);
    const respond = async () => {
      arrive(answer);
      await settle();
    };
    return { ...staged, respond };
  }

  it("shows a message and retries with the same key and bytes", async () => {
    const { button, submitConsents, onAccepted, alertText, respond } = await submitAndWait();
    await click(button("Try now"));
    await settle();
    const [first, second] = submitConsents.mock.calls.map((call) => JSON.stringify(call));
    expect(second).toBe(first);
    expect(alertText()).toBeUndefined();
    await respond();
    expect(onAccepted).toHaveBeenCalledOnce();
  });

  it("accepts a response that arrives later", async () => {
    const { onAccepted, alertText, footer, respond } = await submitAndWait();
    await respond();
    expect(onAccepted).toHaveBeenCalledOnce();
    expect([alertText(), footer()]).toEqual([undefined, "Your decision is recorded."]);
  });

  it("locks the ticks, because the pending call could override another decision", async () => {
    const { box, button, submitConsents, respond } = await submitAndWait();
    expect([box("all")?.disabled, box(3)?.disabled]).toEqual([true, true]);
    await click(button("Try now"));
    await settle();
    const [first, second] = submitConsents.mock.calls;
    expect(second?.[1].idempotencyKey).toBe(first?.[1].idempotencyKey);
    await respond();
  });

  it("unlocks the ticks after a failure", async () => {
    const { box, button, submitConsents, alertText } = await submitAndWait();
    submitConsents.mockRejectedValueOnce(lost);
    await click(button("Try now"));
    await settle();
    expect(alertText()).toMatch(/^No answer came/);
    expect(box(3)?.disabled).toBe(false);
    await click(box(3));
    expect(alertText()).toBeUndefined();
  });
});

describe("after an error", () => {
  it.each([
    [lost, /^No answer came\. Try again: nothing is recorded twice\.$/],
    [
      httpError(503, "unavailable"),
      /^The server could not confirm this\. It is kept and sent again by itself/,
    ],
    [httpError(503, "unavailable", 1), /recorded twice\. The server asks to wait 1 second\.$/],
    [httpError(401, "unauthenticated"), /signed out/],
    [httpError(429, "rate_limited", 17), /^Too many tries.+The server asks to wait 17 seconds\.$/],
    [httpError(422, "consented_at_in_future"), /clock/],
    [httpError(422, "unknown_term"), /did not accept/],
  ])("%s: keeps the ticks and shows a message", async (error, message) => {
    const { box, accept, button, submitConsents, ticks, alertText, onAccepted } = await stage();
    submitConsents.mockRejectedValueOnce(error);
    await click(box("all"));
    await click(accept());
    await settle();
    expect(alertText()).toMatch(message);
    expect(alertText()).not.toMatch(/not sent/i);
    expect(ticks()).toEqual([true, true, true, true]);
    expect(onAccepted).not.toHaveBeenCalled();
    // Only one button sends, so the user need not choose between two.
    expect([accept(), button("Try again")]).toEqual([undefined, undefined]);
    await click(button("Try now"));
    await settle();
    expect(onAccepted).toHaveBeenCalledOnce();
    expect(alertText()).toBeUndefined();
  });

  it("sends the same decision again with the same key and bytes", async () => {
    const { box, accept, button, submitConsents } = await stage();
    submitConsents.mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
    await click(box("all"));
    await click(accept());
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await click(button("Try now"));
    await settle();
    await click(button("Try now"));
    await settle();
    const calls = submitConsents.mock.calls.map((call) => JSON.stringify(call));
    expect(calls).toHaveLength(3);
    expect(new Set(calls).size).toBe(1);
  });

  it("sends another decision with another key", async () => {
    const { box, accept, submitConsents, alertText } = await stage();
    submitConsents.mockRejectedValueOnce(lost);
    await click(box("all"));
    await click(accept());
    await settle();
    await click(box(3));
    expect(alertText()).toBeUndefined();
    await click(accept());
    await settle();
    const [first, second] = submitConsents.mock.calls;
    expect(second?.[1].idempotencyKey).not.toBe(first?.[1].idempotencyKey);
    expect(second?.[0].consents[2]?.accepted).toBe(false);
  });

  it("does not report an error of onAccepted as a failed submission", async () => {
    const hostError = new Error("host");
    const rejection = new Promise((resolve) => process.once("unhandledRejection", resolve));
    const onAccepted = () => {
      throw hostError;
    };
    const { box, accept, alertText } = await stage({ onAccepted });
    await click(box("all"));
    await click(accept());
    expect(await rejection).toBe(hostError);
    expect(alertText()).toBeUndefined();
  });
});

it("loads and marks changed terms, which need a new tick", async () => {
  const fetchTerms = vi.fn(async () => [term(1), term(2)]);
  const { box, accept, page, submitConsents, ticks, alertText, button } = await stage({
    fetchTerms,
  });
  submitConsents.mockRejectedValueOnce(httpError(409, "terms_changed"));
  fetchTerms.mockResolvedValueOnce([term(1), term(22, { display_order: 2, replaces: 2 })]);
  await click(box("all"));
  await click(accept());
  await settle();
  expect(alertText()).toMatch(/have changed/);
  expect(ticks()).toEqual(["mixed", true, false]);
  expect(page.querySelector("[data-term='22']")?.textContent).toContain("Changed");
  expect(page.querySelector("[data-term='1']")?.textContent).not.toContain("Changed");
  expect([button("Try now"), accept()?.disabled]).toEqual([undefined, true]);

  await click(box(22));
  await click(accept());
  await settle();
  const [first, second] = submitConsents.mock.calls;
  expect(second?.[1].idempotencyKey).not.toBe(first?.[1].idempotencyKey);
  expect(second?.[0].consents.map((entry) => entry.terms_and_conditions_id)).toEqual([1, 22]);
});
