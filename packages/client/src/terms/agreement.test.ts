import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type Agreement,
  acceptedBefore,
  agreeAllState,
  choiceOf,
  declinedTerms,
  earlierConsents,
  isTicked,
  missingMandatory,
  type PartialClick,
  toggle,
  toggleAll,
} from "./agreement";
import type { Term } from "./term";

interface Vector {
  readonly why: string;
  readonly ticks: readonly boolean[];
  readonly partialClick: PartialClick;
  readonly state: boolean | "mixed";
  readonly after: readonly boolean[];
}

const vectors: { readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("../../../../testdata/agree-all.json", import.meta.url), "utf8"),
);

const empty: Agreement = { earlier: new Set(), choices: new Map() };
const term = (id: number, mandatory = true): Term => ({
  id,
  title: `Term ${id}`,
  content: "https://terms.example/1.pdf",
  mandatory,
  display_order: id,
});

describe("agree all", () => {
  it.each(vectors.cases)("$why, partialClick $partialClick", (vector) => {
    const ids = vector.ticks.map((_, id) => id);
    const earlier = new Set(ids.filter((id) => vector.ticks[id]));
    expect(agreeAllState(vector.ticks)).toBe(vector.state);
    const { partialClick } = vector;
    const after = toggleAll({ earlier, choices: new Map() }, ids, partialClick);
    expect(ids.map((id) => isTicked(after, id))).toEqual(vector.after);
  });

  it("records for each term how it was ticked", () => {
    const agreement = toggleAll(toggle(empty, 1), [1, 2], "tick");
    expect(agreement.choices.get(1)).toEqual({ accepted: true, method: "tick" });
    expect(agreement.choices.get(2)).toEqual({ accepted: true, method: "agree_all" });
  });
});

describe("optional terms that the user declined", () => {
  const terms = [
    term(1),
    term(2),
    term(3, false),
    { ...term(4, false), replaces: 40 },
    term(5, false),
  ];
  const ids = terms.map(({ id }) => id);
  const consent = (id: number, accepted: boolean) => ({
    terms_and_conditions_id: id,
    accepted,
    consented_at: "",
  });
  const earlier = earlierConsents([consent(3, false), consent(40, false), consent(1, false)]);
  const declined = declinedTerms(terms, earlier);
  const start: Agreement = { earlier: earlier.accepted, choices: new Map(), declined };
  const ticks = (agreement: Agreement) => ids.map((id) => isTicked(agreement, id));

  it("are those that were refused in the newest version with a decision", () => {
    expect([...declined]).toEqual([3, 4]);
    expect([...declinedTerms(terms, undefined)]).toEqual([3, 4, 5]);
    const skipped = { ...term(6, false), replaces: 50, earlier_versions: [{ id: 50 }, { id: 40 }] };
    expect([...declinedTerms([skipped as never], earlier)]).toEqual([6]);
    const since = earlierConsents([consent(40, false), consent(50, true)]);
    expect([...declinedTerms([skipped as never], since)]).toEqual([]);
    const renewed = earlierConsents([consent(40, false), consent(4, true)]);
    expect([...declinedTerms(terms, renewed)]).toEqual([]);
  });

  it("are ticked by agree-all, which then unticks all", () => {
    const once = toggleAll(start, ids, "tick");
    expect(ticks(once)).toEqual([true, true, true, true, true]);
    expect(agreeAllState(ticks(once))).toBe(true);
    expect(choiceOf(once, 3)).toEqual({ accepted: true, method: "agree_all" });
    expect(ticks(toggleAll(once, ids, "tick"))).toEqual([false, false, false, false, false]);
  });

  it("are ticked by a click in the partial state", () => {
    const partial = toggle(toggle(start, 1), 2);
    expect(agreeAllState(ticks(partial))).toBe("mixed");
    expect(ticks(toggleAll(partial, ids, "tick"))).toEqual([true, true, true, true, true]);
  });

  it("are not ticked by a draft of an earlier visit", () => {
    const choices = new Map(ids.map((id) => [id, { accepted: true }] as const));
    expect(ticks({ ...start, choices })).toEqual([true, true, false, false, true]);
  });
});

it("toggle changes only one term", () => {
  const once = toggle(empty, 1);
  expect([1, 2].map((id) => isTicked(once, id))).toEqual([true, false]);
  expect(isTicked(toggle(once, 1), 1)).toBe(false);
});

it("acceptedBefore returns only the accepted terms", () => {
  const consents = [
    { terms_and_conditions_id: 1, accepted: true, consented_at: "" },
    { terms_and_conditions_id: 2, accepted: false, consented_at: "" },
  ];
  expect([...acceptedBefore(consents)]).toEqual([1]);
});

it("a choice of the user has priority over consents that load later", () => {
  const ticked = toggle(empty, 1);
  const unticked = toggle(ticked, 1);
  expect(isTicked({ ...unticked, earlier: new Set([1, 2]) }, 1)).toBe(false);
  expect(isTicked({ ...unticked, earlier: new Set([1, 2]) }, 2)).toBe(true);
});

it("missingMandatory returns only mandatory terms", () => {
  const terms = [term(1), term(2, false), term(3)];
  const agreement = toggle(empty, 1);
  expect(missingMandatory(terms, agreement).map(({ id }) => id)).toEqual([3]);
});
