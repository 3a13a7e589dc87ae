import type { Outstanding } from "@musette/client/terms";
import { expect, it } from "vitest";
import { standingOf } from "./standing";

type OutstandingTerm = Outstanding["outstanding"][number];

const term = (id: number, grace_until?: string): OutstandingTerm => ({
  id,
  title: `Term ${id}`,
  content: "",
  mandatory: true,
  display_order: id,
  type: "FREELANCER",
  kind: "consent",
  version: 1,
  label: null,
  locale: "en",
  sha256: "",
  effective_from: "2026-11-01T00:00:00.000Z",
  material: true,
  market: null,
  ...(grace_until && { grace_until }),
});
const of = (may_work: boolean, ...outstanding: OutstandingTerm[]): Outstanding => ({
  user_id: "r1",
  may_work,
  reasons: [],
  limitations: [],
  changes_at: null,
  outstanding,
});

it("is done if nothing is outstanding", () => {
  expect(standingOf(of(true))).toEqual({ kind: "done" });
});

it("contains the first deadline", () => {
  const late = term(1, "2026-12-09T00:00:00.000Z");
  const soon = term(2, "2026-12-03T12:00:00.000Z");
  expect(standingOf(of(true, late, soon))).toEqual({
    kind: "by",
    count: 2,
    until: "2026-12-03T12:00:00.000Z",
  });
});

it("follows the server's answer, whatever the device's clock says", () => {
  expect(standingOf(of(false, term(1), term(2, "2126-12-03T12:00:00.000Z")))).toEqual({
    kind: "now",
    count: 2,
  });
  expect(standingOf(of(false, term(1, "2026-12-03T12:00:00.000Z")))).toMatchObject({ kind: "now" });
});
