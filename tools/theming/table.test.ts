import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { theming } from "./table.mjs";

it("docs/theming.md lists the properties of the style sheet; to update: node tools/theming/table.mjs", () => {
  const written = readFileSync(new URL("../../docs/theming.md", import.meta.url), "utf8");
  expect(written).toBe(theming());
  expect(written.match(/^\| `--mu-/gm)?.length).toBeGreaterThan(40);
});
