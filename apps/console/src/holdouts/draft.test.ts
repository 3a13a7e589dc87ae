import { describe, expect, it } from "vitest";
import type { Flag, FlagsDocument, Holdout } from "../configuration/document/document";
import {
  type Draft,
  documentWith,
  draftOf,
  emptyDraft,
  errorsOf,
  flagsOf,
  movesPeople,
  phaseOf,
} from "./draft";

const holdout: Holdout = {
  key: "2026-q4",
  salt: "s",
  unit: "userId",
  percent: 2,
  status: "running",
  priority: 1,
  scope: "all",
  applies: { mode: "global", exceptFlags: ["law"], flags: [], tags: [] },
  population: null,
  schedule: {
    startAt: "2026-10-01T00:00:30Z",
    analysisAt: "2026-12-15T00:00:00Z",
    stopAt: null,
  },
};
const flag = (key: string, part: Partial<Flag> = {}): Flag => ({
  key,
  type: "boolean",
  on: true,
  salt: "x",
  tags: [],
  clientVisible: true,
  archived: false,
  variations: [],
  offVariation: null,
  defaultVariation: "off",
  baselineVariation: "off",
  prerequisites: [],
  overrides: [],
  rules: [],
  ...part,
});
const document: FlagsDocument = {
  schema: "musette.flags/1",
  environment: "production",
  version: 7,
  attributes: [],
  segments: [],
  layers: [],
  metrics: [
    { key: "orders", direction: "increase", kind: "sum" },
    { key: "late", direction: "decrease", kind: "conversion" },
  ],
  holdouts: [holdout],
  flags: [flag("law"), flag("tip", { tags: ["start"] }), flag("old", { archived: true })],
};
const draft = (part: Partial<Draft> = {}): Draft => ({
  ...emptyDraft,
  key: "new",
  goal: "orders",
  ...part,
});

it("is unchanged after a round trip through the form", () => {
  expect(documentWith(document, draftOf(holdout), undefined)).toEqual(document);
});

it("keeps its metrics when other fields are edited", () => {
  const roles = { goal: "late", guardrails: ["orders"] };
  const measured = { ...document, holdouts: [{ ...holdout, ...roles }] };
  const edited = { ...draftOf({ ...holdout, ...roles }), description: "why" };
  expect(documentWith(measured, edited, undefined).holdouts[0]).toMatchObject(roles);
  expect(errorsOf(measured, { ...edited, goal: "" }, false)).toEqual(["goal"]);
  // An older holdout is valid without a goal.
  expect(errorsOf(document, draftOf(holdout), false)).toEqual([]);
});

it("keeps only the flags of the chosen mode", () => {
  const both = { flags: ["tip"], tags: ["start"], exceptFlags: ["law"] };
  const saved = (mode: Draft["mode"]) =>
    documentWith(document, draft({ ...both, mode }), "draft").holdouts[1]?.applies;
  expect(saved("global")).toEqual({ mode: "global", exceptFlags: ["law"], flags: [], tags: [] });
  expect(saved("selected")).toEqual({ mode: "selected", ...both, exceptFlags: [] });
});

it.each([
  [{}, []],
  [{ key: "" }, ["key"]],
  [{ key: "a b" }, ["keyForm"]],
  [{ key: "Q4" }, ["keyForm"]],
  [{ key: "2026-q4" }, ["keyTaken"]],
  [{ goal: "" }, ["goal"]],
  [{ percent: 51 }, ["percent"]],
  [{ percent: Number.NaN }, ["percent"]],
  [{ mode: "selected" }, ["applies"]],
  [{ mode: "selected", flags: ["gone"] }, ["flags"]],
  [{ exceptFlags: ["gone"] }, ["flags"]],
  [{ priority: 1.5 }, ["priority"]],
  [{ startAt: "2026-12-01T00:00:00Z", stopAt: "2026-12-01T01:00:00+02:00" }, ["order"]],
  [{ analysisAt: "2026-11-01T00:00:00Z", stopAt: "2026-12-01T00:00:00Z" }, []],
] satisfies [Partial<Draft>, string[]][])("reports for %j the errors %j", (part, errors) => {
  expect(errorsOf(document, draft(part), true)).toEqual(errors);
});

it.each([
  ["2026-09-30T00:00:00Z", "waiting"],
  ["2026-10-02T00:00:00Z", "running"],
  ["2026-12-15T00:00:00Z", "analysis"],
])("is at %s in phase %s", (now, phase) => {
  expect(phaseOf(holdout, new Date(now))).toBe(phase);
});

it("is ended by its schedule, but not started by it", () => {
  const now = new Date("2026-11-21T00:00:00Z");
  expect(phaseOf({ ...holdout, status: "draft" }, now)).toBe("draft");
  const over = { startAt: null, analysisAt: null, stopAt: "2026-11-20T00:00:00Z" };
  expect(phaseOf({ ...holdout, status: "analysis", schedule: over }, now)).toBe("ended");
});

it("moves people if its size or unit changes, but not if its texts do", () => {
  const before = draftOf(holdout);
  expect(movesPeople(before, { ...before, description: "x", stopAt: "2027-01-01T00:00" })).toBe(
    false,
  );
  expect(movesPeople(before, { ...before, percent: 3 })).toBe(true);
});

describe("the withheld flags", () => {
  const keys = (part: Partial<Holdout>) =>
    flagsOf(document, { ...holdout, ...part }).map(({ key }) => key);

  it("are all except the excluded and the archived ones", () => {
    expect(keys({})).toEqual(["tip"]);
  });

  it("are those chosen by name or tag", () => {
    const applies = { mode: "selected", exceptFlags: [], flags: ["law"], tags: ["start"] } as const;
    expect(keys({ applies })).toEqual(["law", "tip"]);
  });

  it("are none if only experiments count and none is running", () => {
    expect(keys({ scope: "experiments" })).toEqual([]);
  });
});
