import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { demo, importFlags, withChanged } from "./flags-data";
import type { Screen } from "./screen";

/** Creates two versions and a second environment, so that every screen has content. */
export function prepareFlagsScreens(musette: Musette): void {
  importFlags(musette, withChanged("cash-orders", { owner: "shop" }));
  importFlags(musette, demo);
  importFlags(musette, { ...demo, flags: [], holdouts: [], layers: [] }, "staging");
}

// A target under the dock at the bottom only counts after scrolling to it.
const toTheEnd = (page: Page) =>
  page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));

const sees = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

/**
 * Waits for texts that are the same in every language: keys, versions and names from the
 * demonstration.
 */
export const flagsScreens: readonly Screen[] = [
  { name: "flags", path: "flags?env=production", ready: sees("break-reminder-minutes") },
  {
    name: "no flags",
    path: "flags?env=staging",
    ready: (page) => page.locator(".card.calm").waitFor(),
  },
  {
    name: "flag",
    path: "flags/quest-cards?env=production",
    ready: async (page) => {
      await page.getByRole("status").locator("strong").first().waitFor();
      await page.locator("main ol button[aria-expanded]").nth(1).click();
      await toTheEnd(page);
    },
  },
  {
    name: "flag with a test and JSON",
    path: "flags/support-chat?env=production",
    ready: async (page) => {
      await page.getByRole("status").locator("strong").first().waitFor();
      await page.locator("main ol button[aria-expanded]").first().click();
      await toTheEnd(page);
    },
  },
  {
    name: "kill switch",
    path: "flags/receipt-export?env=production",
    ready: async (page) => {
      await page.getByRole("switch").click();
      await page.locator("dialog[data-state=open]").waitFor();
    },
  },
  {
    name: "review",
    path: "flags/cash-orders?env=production",
    ready: async (page) => {
      await page.locator("textarea").first().fill("Orders that are paid in cash");
      await page.locator("[data-part=save-bar] .mu-button").last().click();
      await page.locator("dialog[data-state=open]").waitFor();
    },
  },
  { name: "segments", path: "flags/segments?env=production", ready: sees("harbour-mentors") },
  {
    name: "segment",
    path: "flags/segments/harbour-mentors?env=production",
    ready: sees("quest-cards"),
  },
  { name: "attributes", path: "flags/attributes?env=production", ready: sees("harbour-mentors") },
  { name: "metrics", path: "flags/metrics?env=production", ready: sees("check-in-screen") },
  {
    name: "history",
    path: "flags/history?env=production&version=2",
    ready: (page) => page.locator("main ins, main del").first().waitFor(),
  },
  {
    name: "planned",
    path: "flags/planned?env=production",
    ready: (page) => page.locator(".card.calm").waitFor(),
  },
  {
    name: "stale",
    path: "flags/stale?env=production",
    ready: (page) => page.locator(".card.calm").waitFor(),
  },
  {
    name: "flags as JSON",
    path: "flags/json?env=production",
    ready: (page) => page.locator("main textarea").waitFor(),
  },
];
