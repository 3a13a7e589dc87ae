import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { theming } from "./table.mjs";

it("docs/theming.md equals the output of `node tools/theming/table.mjs`", () => {
  const committed = readFileSync(new URL("../../docs/theming.md", import.meta.url), "utf8");
  expect(committed).toBe(theming());
  expect(committed.match(/^\| `--mu-/gm)?.length).toBeGreaterThan(40);
});
