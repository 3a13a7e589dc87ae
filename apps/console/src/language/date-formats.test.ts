import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { calendarFormat, dateFormat } from "./date-format";

const root = new URL("..", import.meta.url).pathname;

/** Ways to write a date, or to take its day, that would differ from `date-format.ts` and `days.ts`. */
const OTHERS =
  /DateTimeFormat|toLocaleDateString|toLocaleTimeString|toDateString|\.getFullYear|\.getUTC|\.slice\(0, (?:7|10)\)/g;

/** The months of the report are those of the server, which its page says. */
const EXCEPTIONS = ["reports/report-search.ts: .slice(0, 7)"];

it("formats dates and takes their days in one place", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const sources = files.filter(
    (file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.startsWith("language/"),
  );
  expect(sources.length).toBeGreaterThan(100);
  const others = sources.flatMap((file) => {
    const hits = readFileSync(root + file, "utf8").match(OTHERS) ?? [];
    return hits.map((hit) => `${file}: ${hit}`);
  });
  expect(others).toEqual(EXCEPTIONS);
});

it.each([
  ["en", "27 Nov 2026", "27 Nov 2026, 16:07", "Fri, 27 Nov 2026, 16:07"],
  ["de", "27. Nov. 2026", "27. Nov. 2026, 16:07", "Fr., 27. Nov. 2026, 16:07"],
])("writes the same date in every format of %s", (tag, day, minute, weekday) => {
  const at = new Date("2026-11-27T16:07:09Z");
  const written = (format: "day" | "minute" | "weekday") =>
    dateFormat(tag, format, "UTC", ["en-GB"]).format(at);
  expect([written("day"), written("minute"), written("weekday")]).toEqual([day, minute, weekday]);
});

it("writes a day without a time as the same day in every time zone", () => {
  const day = calendarFormat("de", "day").format(new Date("2026-11-27"));
  expect(day).toBe("27. Nov. 2026");
});
