import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";

/** Regions with a page of a document: their text is the publisher's, and appears at any time. */
const OF_A_DOCUMENT = new Set(["viewer", "reading"]);

/** Replaces what differs between runs. */
function steady(spoken: string, locale: string): string {
  const name = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  const months = Array.from({ length: 12 }, (_, at) =>
    name.format(new Date(Date.UTC(2026, at, 1))),
  );
  const month = new RegExp(`(?<=0 )(${months.join("|")})|(${months.join("|")})(?= 0)`, "g");
  return spoken
    .replace(/code: .*/g, "code: …")
    .replace(/^\s*- \/url: .*\n?/gm, "")
    .replace(/(?<=#)[\w-]{16,}/g, "…")
    .replace(/[\w-]{22,}/g, "…")
    .replace(/(?<!level=)[\d٠-٩]+/g, "0")
    .replace(month, "MONTH")
    .replace(/(?<=0:0)\s(AM|PM|ص|م)/g, "")
    .split("\n")
    .filter((line) => line.trim())
    .join("\n");
}

/** Removes the content of the document's own region. */
function withoutDocument(spoken: string): string {
  let depth = Number.POSITIVE_INFINITY;
  return spoken
    .split("\n")
    .filter((line) => {
      const indent = line.search(/\S/);
      if (indent > depth) return false;
      depth = /^\s*- region /.test(line) ? indent : Number.POSITIVE_INFINITY;
      return true;
    })
    .join("\n");
}

/**
 * Runs in the page. Records every text that appears in a live region, as a screen reader would
 * announce it.
 */
function listen(): void {
  const live = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
  const announcements = new Set<string>();
  Object.assign(window, { announcements });
  const hear = () => {
    for (const region of document.querySelectorAll<HTMLElement>(live)) {
      const words = region.textContent?.replace(/\s+/g, " ").trim();
      if (words) announcements.add(words);
    }
  };
  new MutationObserver(hear).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}

const announced = (page: Page) =>
  page.evaluate(() =>
    [...(window as unknown as { announcements: Set<string> }).announcements].join("\n"),
  );

for (const locale of ["en", "ar"]) {
  test(`names, roles and states of every screen for a screen reader: ${locale}`, async ({
    page,
    musette,
    allow,
  }) => {
    test.setTimeout(120_000);
    allow(/status of (401|503)/);
    await setLook(page, { locale, dark: false });
    await page.addInitScript(listen);
    const file = new URL(`spoken.${locale}.txt`, import.meta.url);
    const expected = new Map(
      readFileSync(file, "utf8")
        .split(/^## /m)
        .map((part) => [part.split("\n")[0] ?? "", `## ${part}`] as const),
    );
    const screens: string[] = [];
    await everyScreen(page, musette, async (screen) => {
      const isDocument = OF_A_DOCUMENT.has(screen);
      const spoken = async () => {
        const all = await page.locator(isDocument ? "dialog[open]" : "body").ariaSnapshot();
        return `## ${screen}\n${steady(isDocument ? withoutDocument(all) : all, locale)}\n`;
      };
      // Parts of a page appear one after the other: only the final state counts.
      if (process.env.UPDATE) await page.waitForLoadState("networkidle");
      else await expect.poll(spoken).toBe(expected.get(screen));
      screens.push(await spoken());
      // A temporary message is announced by a region that existed before.
      if (screen === "consent-partial") {
        const remaining = await page.locator(".mu-consent-footer p").innerText();
        expect(await announced(page)).toContain(remaining);
      }
      if (screen === "consent-failed") {
        const alert = await page.locator(".mu-error p").innerText();
        expect(await announced(page)).toContain(alert);
      }
    });
    if (process.env.UPDATE) writeFileSync(file, screens.join(""));
  });
}
