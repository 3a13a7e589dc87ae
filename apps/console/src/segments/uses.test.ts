import { expect, it } from "vitest";
import demo from "../../../../demo/flags.json";
import type { FlagsDocument } from "../configuration/document/document";
import { countOf, usesOfAttribute, usesOfSegment } from "./uses";

const document = demo as unknown as FlagsDocument;

it("finds all references to a segment, however deep", () => {
  expect(usesOfSegment(document, "harbour-mentors").flags).toEqual(["quest-cards"]);
  const deep = {
    key: "deep",
    match: { any: [{ not: { all: [{ segment: "harbour-mentors" }] } }] },
  };
  const nested = { ...document, segments: [...document.segments, deep] };
  expect(usesOfSegment(nested, "harbour-mentors").segments).toEqual(["deep"]);
  expect(countOf(usesOfSegment(document, "nobody"))).toBe(0);
});

it("finds the conditions and draws that use an attribute", () => {
  expect(usesOfAttribute(document, "town")).toEqual({
    flags: ["e-bike-checklist"],
    segments: ["harbour-mentors"],
    holdouts: [],
  });
  expect(usesOfAttribute(document, "userId").holdouts).toEqual(["2026-q4"]);
  expect(usesOfAttribute(document, "userId").flags).toContain("support-chat");
  expect(countOf(usesOfAttribute(document, "language"))).toBe(0);
});
