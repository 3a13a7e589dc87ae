import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { quotes } from "./docs.mjs";

describe("the quotes of the test application in docs/embedding.md and docs/flags.md", () => {
  it("exist", () => expect(quotes().length).toBeGreaterThan(4));

  it.each(quotes())("match $file", ({ file, quoted }) => {
    expect(readFileSync(new URL(file, import.meta.url), "utf8")).toContain(quoted.trim());
  });
});
