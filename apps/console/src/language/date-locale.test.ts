import { expect, it } from "vitest";
import { dateLocale } from "./date-locale";

it.each([
  ["en", ["en-GB", "en-US"], "3 May 2026"],
  ["en", ["en-US"], "May 3, 2026"],
  ["en", ["de-DE", "en"], "3 May 2026"],
  ["en", ["en"], "May 3, 2026"],
  ["en", ["not a tag", "de-AT"], "3 May 2026"],
  ["de", ["en-GB"], "03.05.2026"],
])("writes dates of %s in a browser of %j as %s", (language, browser, date) => {
  const format = new Intl.DateTimeFormat(dateLocale(language, browser), {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  expect(format.format(new Date("2026-05-03T12:00:00Z"))).toBe(date);
});
