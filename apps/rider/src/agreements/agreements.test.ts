import type { Term } from "@musette/client/terms";
import { describe, expect, it } from "vitest";
import type { Decision } from "../terms/receipt";
import { applicantAgreements, groupByReceipt, outcomeIn, riderAgreements } from "./agreements";

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
  it("show each term in effect with the newest decision about it", () => {
    const decisions = [decision(5, false, "2"), decision(1, true, "1"), decision(5, true, "1")];
    const [first, last] = riderAgreements(
      [term(1), term(5, false)],
      [consent(1), consent(5)],
      decisions,
    );
    expect(first?.decision?.accepted).toBe(true);
    expect(last?.decision).toBe(decisions[0]);
  });

  it("apply a decision about the term that a minor version replaced", () => {
    const old = decision(1, true, "1");
    const agreements = riderAgreements([term(2)], [consent(1), consent(2, 1)], [old]);
    expect(agreements).toEqual([{ term: term(2), decision: old }]);
  });

  it("show a term without any decision", () => {
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
    const summarise = (...decisions: Decision[]) =>
      riderAgreements([newest], [], decisions).map(({ term: { id }, former, replaced }) => [
        id,
        former?.version,
        replaced,
      ]);

    it("keep an agreement whose text was replaced, and no refused one", () => {
      expect(summarise(decision(6, true, "1"))).toEqual([
        [9, 1, undefined],
        [6, undefined, true],
      ]);
      expect(summarise(decision(7, false, "1"))).toEqual([[9, undefined, undefined]]);
    });

    it("keep only the newest version that was agreed to", () => {
      expect(summarise(decision(8, true, "2"), decision(6, true, "1"))).toEqual([
        [9, 3, undefined],
        [8, undefined, true],
      ]);
      expect(summarise(decision(9, true, "3"), decision(6, true, "1"))).toEqual([
        [9, undefined, undefined],
      ]);
    });

    it("keep an older agreement although the newest version was refused", () => {
      expect(summarise(decision(9, false, "2"), decision(6, true, "1"))).toEqual([
        [9, undefined, undefined],
        [6, undefined, true],
      ]);
    });

    it("mark a version as replaced only if a newer one is known", () => {
      expect(summarise(decision(20, true, "1"))[1]).toEqual([20, undefined, undefined]);
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
    const occasions = groupByReceipt([no, yes, decision(1, true, "1")]);
    expect(occasions.map(({ receiptId }) => receiptId)).toEqual(["2", "1"]);
    expect(occasions[1]?.decided.map(({ decision: { termId } }) => termId)).toEqual([1, 5]);
    expect(occasions[0]?.decided[0]?.outcome).toBe("withdrew");
  });
});
