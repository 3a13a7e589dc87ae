import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { submitConsent } from "./agreeing";
import { withExperiments } from "./experiments-data";

const firstRow = async (page: Page) =>
  (await page.locator("tr[data-index]").first().boundingBox())?.y ?? Number.NaN;

test.describe("at 1280 pixels", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("puts the filters of the decisions into one row", async ({ page, musette }) => {
    await submitConsent(musette, "demo-rider-1");
    await signInByLink(page, musette);
    await page.goto("/console/consents");
    await page.locator("tr[data-index]").first().waitFor();
    const fields = page.getByRole("search").locator(".field");
    const boxes = await fields.evaluateAll((all) =>
      all.map((field) => field.getBoundingClientRect()).map(({ bottom, width }) => [bottom, width]),
    );
    expect(new Set(boxes.map(([bottom]) => Math.round(bottom ?? 0))).size).toBe(1);
    // None is stretched over the rest of a row.
    const widths = boxes.map(([, width]) => width ?? 0);
    expect(Math.max(...widths)).toBeLessThan(2 * Math.min(...widths));
    expect(await firstRow(page)).toBeLessThan(400);
  });

  test("puts the filters of the acceptance page next to each other", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.goto("/console/terms/1/coverage");
    const filters = page.getByRole("search").first();
    await filters.waitFor();
    expect((await filters.boundingBox())?.height).toBeLessThan(130);
  });

  test("keeps the chips of an experiment inside the table", async ({ page, musette }) => {
    await withExperiments(musette);
    await signInByLink(page, musette);
    await page.goto("/console/experiments");
    const chips = page.locator("tr[data-index] .chip");
    await chips.first().waitFor();
    const table = await page.getByRole("table").boundingBox();
    for (const chip of await chips.all()) {
      const box = await chip.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(
        (table?.x ?? 0) + (table?.width ?? 0) - 8,
      );
    }
  });

  test("keeps the buttons of an experiment next to its environment", async ({ page, musette }) => {
    await withExperiments(musette);
    await signInByLink(page, musette);
    const rows: number[] = [];
    for (const key of ["tip-test", "map-test"]) {
      await page.goto(`/console/experiments/${key}`);
      await page.getByRole("link", { name: "Edit" }).waitFor();
      await page.getByRole("table").first().waitFor();
      // In one step, because the page moves while its parts load.
      rows.push(
        await page.locator("main").evaluate((main) => {
          const top = (selector: string) =>
            main.querySelector(selector)?.getBoundingClientRect().top;
          return Math.round((top("a.mu-button") ?? 0) - (top("select") ?? 0));
        }),
      );
    }
    expect(rows[1]).toBe(rows[0]);
    expect(Math.abs(rows[0] ?? Number.NaN)).toBeLessThan(24);
  });

  test("shows a decision with the reader’s title and the language of the accepted text", async ({
    page,
    musette,
  }) => {
    musette.addRider("r-ar", "Amal");
    musette.importConsents([["r-ar", 1, true, "ar"]]);
    await signInByLink(page, musette);
    await page.goto("/console/consents?user=r-ar");
    const row = page.locator("tr[data-index]").first();
    await expect(row).toContainText("Freelancer agreement");
    await expect(row.locator('td[data-title="Language"]')).toHaveText("Arabic");
  });
});

test.describe("at 390 pixels", () => {
  for (const [path, limit] of [
    ["people", 430],
    ["consents", 430],
    ["audit", 430],
  ] as const) {
    test(`collapses the filters of ${path}, so that the rows come first`, async ({
      page,
      musette,
    }) => {
      await submitConsent(musette, "demo-rider-1");
      await signInByLink(page, musette);
      await page.goto(`/console/${path}`);
      await page.locator("tr[data-index]").first().waitFor();
      expect(await firstRow(page)).toBeLessThan(limit);
      const filters = page.locator("summary").filter({ hasText: "Filters" });
      await filters.click();
      await expect(page.getByRole("search").getByRole("combobox").first()).toBeVisible();
    });
  }

  test("says how many filters are set", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.goto("/console/consents?decision=declined&type=FREELANCER");
    await expect(page.getByText("Filters (2)")).toBeVisible();
  });

  test("marks the end of a tab bar that scrolls", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.goto("/console/settings/keys");
    const bar = page.locator("main nav").first();
    await expect(bar).toHaveAttribute("data-more", /end/);
    await bar.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect(bar).toHaveAttribute("data-more", /start/);
  });
});
