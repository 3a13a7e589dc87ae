import { expect, it } from "vitest";
import type { EvaluationDetail } from "./model";
import { kindsFor } from "./next-steps";

const at = (status: EvaluationDetail["status"], finalised_at: string | null = null) =>
  ({ status, finalised_at }) as EvaluationDetail;

it.each([
  ["PENDING", ["evaluate", "noShow"], []],
  ["NO_SHOW", ["evaluate"], ["discuss"]],
  ["EVALUATED", ["reject"], ["reject", "discuss"]],
  ["ACCEPTED", [], ["discuss"]],
  ["REJECTED", [], []],
] as const)("offers the transitions of %s to each role", (status, dispatcher, reviewer) => {
  expect(kindsFor(at(status), true, false)).toEqual(dispatcher);
  expect(kindsFor(at(status), false, true)).toEqual(reviewer);
  expect(kindsFor(at(status), false, false)).toEqual([]);
  expect(kindsFor(at(status, "2026-11-20T12:00:00.000Z"), true, true)).toEqual([]);
});
