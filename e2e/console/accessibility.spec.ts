import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { enterByLink } from "./admin";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function faults(page: Page, name: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${name}: ${id} at ${node.target.join(" ")}: ${node.failureSummary}`),
  );
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return wider > 0 ? [...found, `${name}: ${wider} pixels wider than the window`] : found;
}

test.use({ store: "empty" });

for (const width of [360, 1280]) {
  for (const [locale, colorScheme] of [
    ["en", "light"],
    ["ar", "dark"],
  ] as const) {
    test(`no fault on any screen, ${width} pixels, ${locale}, ${colorScheme}`, async ({
      page,
      musette,
    }) => {
      test.setTimeout(60_000);
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto("/console/sign-in");
      const found = [...(await faults(page, "sign-in"))];
      await enterByLink(page, musette);
      await page.evaluate((tag) => localStorage.setItem("musette.language", tag), locale);
      for (const place of ["", "audit"]) {
        await page.goto(`/console/${place}`);
        await page.getByText("ada-admin").last().waitFor();
        found.push(...(await faults(page, place || "overview")));
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox").waitFor();
      await page.locator("dialog[data-state=open]").waitFor();
      found.push(...(await faults(page, "palette")));
      expect(found).toEqual([]);
    });
  }
}
