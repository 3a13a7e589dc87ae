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

function refusal(status: number, code: string, seconds?: number): HttpError {
  const headers: HeadersInit = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return new HttpError(new Response(null, { status, headers }), { code, status } as Problem);
}

const lost = new TypeError("Failed to fetch");

it("sends one entry per term, then hands over the answer", async () => {
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

it("is locked and busy while it is sending, however often it is tapped", async () => {
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

describe("without an answer for 15 s", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  async function waiting() {
    const staged = await stage();
    let arrive = (_: typeof answer) => {};
    const first = new Promise<typeof answer>((resolve) => {
      arrive = resolve;
    });
    staged.submitConsents.mockReturnValueOnce(first);
    await click(staged.box("all"));
    await click(staged.accept());
    await passTime(14_000);
    expect([staged.state(), staged.trouble()]).toEqual(["sending", undefined]);
    await passTime(1_500);
    expect(staged.trouble()).toMatch(/longer than usual.+nothing is recorded twice/);
    const answered = async () => {
      arrive(answer);
      await settle();
    };
    return { ...staged, answered };
  }

  it("says so, and tries again with the same key and the same bytes", async () => {
    const { button, submitConsents, onAccepted, trouble, answered } = await waiting();
    await click(button("Try now"));
    await settle();
    const [first, second] = submitConsents.mock.calls.map((call) => JSON.stringify(call));
    expect(second).toBe(first);
    expect(trouble()).toBeUndefined();
    await answered();
    expect(onAccepted).toHaveBeenCalledOnce();
  });

  it("takes the answer when it comes after all", async () => {
    const { onAccepted, trouble, footer, answered } = await waiting();
    await answered();
    expect(onAccepted).toHaveBeenCalledOnce();
    expect([trouble(), footer()]).toEqual([undefined, "Your decision is recorded."]);
  });

  it("keeps the decision as it is: another could be overridden by the call that goes on", async () => {
    const { box, button, submitConsents, answered } = await waiting();
    expect([box("all")?.disabled, box(3)?.disabled]).toEqual([true, true]);
    await click(button("Try now"));
    await settle();
    const [first, second] = submitConsents.mock.calls;
    expect(second?.[1].idempotencyKey).toBe(first?.[1].idempotencyKey);
    await answered();
  });

  it("lets the rows go again after a failure", async () => {
    const { box, button, submitConsents, trouble } = await waiting();
    submitConsents.mockRejectedValueOnce(lost);
    await click(button("Try now"));
    await settle();
    expect(trouble()).toMatch(/^No answer came/);
    expect(box(3)?.disabled).toBe(false);
    await click(box(3));
    expect(trouble()).toBeUndefined();
  });
});

describe("after an error", () => {
  it.each([
    [lost, /^No answer came\. Try again: nothing is recorded twice\.$/],
    [
      refusal(503, "unavailable"),
      /^The server could not confirm this\. It is kept and sent again by itself/,
    ],
    [refusal(503, "unavailable", 1), /recorded twice\. The server asks to wait 1 second\.$/],
    [refusal(401, "unauthenticated"), /signed out/],
    [refusal(429, "rate_limited", 17), /^Too many tries.+The server asks to wait 17 seconds\.$/],
    [refusal(422, "consented_at_in_future"), /clock/],
    [refusal(422, "unknown_term"), /did not accept/],
  ])("%s: the ticks stay, and plain words say what happened", async (error, words) => {
    const { box, accept, button, submitConsents, ticks, trouble, onAccepted } = await stage();
    submitConsents.mockRejectedValueOnce(error);
    await click(box("all"));
    await click(accept());
    await settle();
    expect(trouble()).toMatch(words);
    expect(trouble()).not.toMatch(/not sent/i);
    expect(ticks()).toEqual([true, true, true, true]);
    expect(onAccepted).not.toHaveBeenCalled();
    // One button sends: nobody has to choose between two.
    expect([accept(), button("Try again")]).toEqual([undefined, undefined]);
    await click(button("Try now"));
    await settle();
    expect(onAccepted).toHaveBeenCalledOnce();
    expect(trouble()).toBeUndefined();
  });

  it("the same decision goes out again with the same key and the same bytes", async () => {
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
    const sent = submitConsents.mock.calls.map((call) => JSON.stringify(call));
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
  });

  it("another decision has another key", async () => {
    const { box, accept, submitConsents, trouble } = await stage();
    submitConsents.mockRejectedValueOnce(lost);
    await click(box("all"));
    await click(accept());
    await settle();
    await click(box(3));
    expect(trouble()).toBeUndefined();
    await click(accept());
    await settle();
    const [first, second] = submitConsents.mock.calls;
    expect(second?.[1].idempotencyKey).not.toBe(first?.[1].idempotencyKey);
    expect(second?.[0].consents[2]?.accepted).toBe(false);
  });

  it("a fault of the host's own callback is not told as one of the submission", async () => {
    const fault = new Error("host");
    const seen = new Promise((resolve) => process.once("unhandledRejection", resolve));
    const onAccepted = () => {
      throw fault;
    };
    const { box, accept, trouble } = await stage({ onAccepted });
    await click(box("all"));
    await click(accept());
    expect(await seen).toBe(fault);
    expect(trouble()).toBeUndefined();
  });
});

it("changed terms are loaded, marked, and have to be agreed to again", async () => {
  const fetchTerms = vi.fn(async () => [term(1), term(2)]);
  const { box, accept, page, submitConsents, ticks, trouble, button } = await stage({ fetchTerms });
  submitConsents.mockRejectedValueOnce(refusal(409, "terms_changed"));
  fetchTerms.mockResolvedValueOnce([term(1), term(22, { display_order: 2, replaces: 2 })]);
  await click(box("all"));
  await click(accept());
  await settle();
  expect(trouble()).toMatch(/have changed/);
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
