import { expect, it } from "vitest";
import { evaluationsParameters, readEvaluationsSearch } from "./evaluations-search";

const NOW = new Date("2026-11-20T12:00:00.000Z");

it("reads the filters of the address, and drops invalid ones", () => {
  const search = { status: "NO_SHOW", due: "soon", market: "DE-BE", user: " r1 ", reference: 4711 };
  expect(readEvaluationsSearch({ ...search, page: 2 })).toEqual({
    ...search,
    user: "r1",
    reference: "4711",
  });
  expect(readEvaluationsSearch({ status: "LATE", due: "never", market: "<b>" })).toEqual({});
});

it("shows reviewers the discussions, and others everything", () => {
  expect(evaluationsParameters({}, true, NOW)).toEqual({ status: "IN_DISCUSSION" });
  expect(evaluationsParameters({}, false, NOW)).toEqual({});
  expect(evaluationsParameters({ status: "ALL" }, true, NOW)).toEqual({});
});

it("asks for overdue answers until now, and for urgent ones until four days from now", () => {
  expect(evaluationsParameters({ due: "overdue" }, false, NOW)).toEqual({
    status: "IN_DISCUSSION",
    due_before: "2026-11-20T12:00:00.000Z",
  });
  expect(evaluationsParameters({ due: "soon" }, true, NOW).due_before).toBe(
    "2026-11-24T12:00:00.000Z",
  );
});
