import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;

/** `en` alone means US formats: a chart would say "Oct 10, 2026" next to "10 Oct 2026". */
it("formats every date in the same locale", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"));
  const others = sources.flatMap((file) => {
    const source = readFileSync(root + file, "utf8");
    const formats = source.match(/new Intl\.DateTimeFormat\(\S+/g) ?? [];
    const own = formats.filter(
      (format) => !format.startsWith("new Intl.DateTimeFormat(dateLocale("),
    );
    return own.map((format) => `${file}: ${format}`);
  });
  expect(others).toEqual([]);
});
