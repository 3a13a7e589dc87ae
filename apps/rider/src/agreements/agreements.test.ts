import type { Term } from "@musette/client/terms";
import { describe, expect, it } from "vitest";
import type { Decision } from "../terms/receipt";
import { applicantAgreements, occasionsOf, outcomeIn, riderAgreements } from "./agreements";

const term = (id: number, mandatory = true): Term => ({
  id,
  title: `Term ${id}`,
  content: `https://musette.test/documents/${id}.pdf`,
  mandatory,
  display_order: id,
});

const decision = (termId: number, accepted: boolean, receiptId: string): Decision => ({
  termId,
  accepted,
  receiptId,
  recordedAt: `2026-01-0${receiptId}T00:00:00.000Z`,
  term: term(termId, termId < 5),
});

const consent = (id: number, inherited_from?: number) => ({
  terms_and_conditions_id: id,
  accepted: true,
  consented_at: "2026-01-01T00:00:00.000Z",
  ...(inherited_from !== undefined && { inherited_from }),
});

describe("a rider's agreements", () => {
  it("shows each term in effect with the newest decision about it", () => {
    const decisions = [decision(5, false, "2"), decision(1, true, "1"), decision(5, true, "1")];
    const [first, last] = riderAgreements(
      [term(1), term(5, false)],
      [consent(1), consent(5)],
      decisions,
    );
    expect(first?.decision?.accepted).toBe(true);
    expect(last?.decision).toBe(decisions[0]);
  });

  it("counts a decision about the term that a minor one replaced", () => {
    const old = decision(1, true, "1");
    const agreements = riderAgreements([term(2)], [consent(1), consent(2, 1)], [old]);
    expect(agreements).toEqual([{ term: term(2), decision: old }]);
  });

  it("leaves a term that was never decided on without a decision", () => {
    expect(riderAgreements([term(1)], [], [])).toEqual([{ term: term(1) }]);
  });

  describe("of a document with earlier versions", () => {
    const version = (id: number) => ({
      id,
      version: id - 5,
      label: null,
      locale: "en",
      sha256: "",
      material: true,
    });
    const newest: Term = {
      ...term(9, false),
      replaces: 8,
      earlier_versions: [8, 7, 6].map(version),
    };
    const seen = (...decisions: Decision[]) =>
      riderAgreements([newest], [], decisions).map(({ term: { id }, former, replaced }) => [
        id,
        former?.version,
        replaced,
      ]);

    it("keeps what is agreed to although its text was replaced, and nothing that was refused", () => {
      expect(seen(decision(6, true, "1"))).toEqual([
        [9, 1, undefined],
        [6, undefined, true],
      ]);
      expect(seen(decision(7, false, "1"))).toEqual([[9, undefined, undefined]]);
    });

    it("keeps the newest version that was agreed to, and no older one", () => {
      expect(seen(decision(8, true, "2"), decision(6, true, "1"))).toEqual([
        [9, 3, undefined],
        [8, undefined, true],
      ]);
      expect(seen(decision(9, true, "3"), decision(6, true, "1"))).toEqual([
        [9, undefined, undefined],
      ]);
    });

    it("keeps an older one that was not withdrawn, although the newest is refused", () => {
      expect(seen(decision(9, false, "2"), decision(6, true, "1"))).toEqual([
        [9, undefined, undefined],
        [6, undefined, true],
      ]);
    });

    it("does not call something replaced of which no newer version is known", () => {
      expect(seen(decision(20, true, "1"))[1]).toEqual([20, undefined, undefined]);
    });
  });
});

describe("an applicant's agreements", () => {
  it("are the newest decisions, in the order of the terms", () => {
    const decisions = [decision(5, false, "2"), decision(5, true, "1"), decision(1, true, "1")];
    const agreements = applicantAgreements(decisions);
    expect(agreements.map(({ term: { id }, decision: by }) => [id, by?.accepted])).toEqual([
      [1, true],
      [5, false],
    ]);
  });
});

describe("outcomes", () => {
  const yes = decision(5, true, "1");
  const no = decision(5, false, "2");
  const outcome = (newest: Decision, all: readonly Decision[]) =>
    outcomeIn({ term: term(5, false), decision: newest }, all);

  it.each([
    ["agreed", [yes]],
    ["withdrew", [no, yes]],
    ["declined", [no]],
    ["declined", [no, decision(1, true, "1")]],
    ["agreed", [decision(5, true, "3"), no, yes]],
  ] as const)("%s", (expected, all) => {
    expect(outcome(all[0] as Decision, all)).toBe(expected);
  });

  it("groups the history by receipt, each in the order of its terms", () => {
    const occasions = occasionsOf([no, yes, decision(1, true, "1")]);
    expect(occasions.map(({ receiptId }) => receiptId)).toEqual(["2", "1"]);
    expect(occasions[1]?.decided.map(({ decision: { termId } }) => termId)).toEqual([1, 5]);
    expect(occasions[0]?.decided[0]?.outcome).toBe("withdrew");
  });
});
