import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { quotes } from "./docs.mjs";

describe("docs/embedding.md and docs/flags.md quote the application that is built and run", () => {
  it("in many places", () => expect(quotes().length).toBeGreaterThan(4));

  it.each(quotes())("$file", ({ file, quoted }) => {
    expect(readFileSync(new URL(file, import.meta.url), "utf8")).toContain(quoted.trim());
  });
});
