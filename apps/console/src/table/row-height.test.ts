// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { applyRowHeight, chooseRowHeight } from "./row-height";

beforeEach(() => localStorage.clear());

it("keeps the chosen height of rows after a reload", () => {
  chooseRowHeight(true);
  expect(document.documentElement.dataset.rows).toBe("comfortable");
  delete document.documentElement.dataset.rows;
  applyRowHeight();
  expect(document.documentElement.dataset.rows).toBe("comfortable");
  chooseRowHeight(false);
  expect(document.documentElement.dataset.rows).toBeUndefined();
});
