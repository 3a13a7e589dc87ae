import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { publishSystem } from "../setup/systems";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { submitConsent } from "./agreeing";
import { prepareCampaigns } from "./campaigns-screens";
import { withExperiments } from "./experiments-data";
import { prepareFlagsScreens } from "./flags-screens";

const ROWS = 15;
const WINDOW_PX = 800;

/** The lists of the console, and what puts a row into each. */
const lists: readonly (readonly [path: string, prepare?: (musette: Musette) => unknown])[] = [
  ["terms"],
  ["automated-systems", publishSystem],
  ["consents", (musette) => submitConsent(musette, "demo-rider-1")],
  ["campaigns", prepareCampaigns],
  ["people"],
  ["flags", prepareFlagsScreens],
  ["flags/segments", prepareFlagsScreens],
  ["flags/attributes", prepareFlagsScreens],
  ["flags/metrics", prepareFlagsScreens],
  ["experiments", withExperiments],
  ["holdouts", withExperiments],
  ["audit"],
  ["settings/keys", (musette) => musette.createFlagKey()],
  ["settings/markets", (musette) => musette.addMarket("UY.gullswater")],
];

const rows = (page: Page) => page.locator("main tbody tr:not([style])");

/** Returns the top and the height of the first row. */
async function firstRow(page: Page): Promise<{ top: number; height: number }> {
  await rows(page).first().locator(":is(td, th) :is(a, button, bdi, code)").first().waitFor();
  return rows(page)
    .first()
    .evaluate((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { top, height };
    });
}

test.describe("at 1280 × 800", () => {
  test.use({ viewport: { width: 1280, height: WINDOW_PX } });

  for (const [path, prepare] of lists) {
    test(`shows ${ROWS} rows of ${path}`, async ({ page, musette }) => {
      await signInByLink(page, musette);
      await prepare?.(musette);
      await page.goto(`/console/${path}`);
      const { top, height } = await firstRow(page);
      expect(height).toBeLessThanOrEqual(41);
      expect(top + ROWS * 40).toBeLessThanOrEqual(WINDOW_PX);
      const heights = await rows(page).evaluateAll((all) =>
        all.map((row) => Math.round(row.getBoundingClientRect().height)),
      );
      expect(Math.max(...heights), "the highest row").toBeLessThanOrEqual(41);
    });
  }

  test("keeps the height of rows that the user chose", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.goto("/console/people");
    expect((await firstRow(page)).height).toBeCloseTo(40, 0);
    const higher = page.getByRole("button", { name: "Comfortable rows" });
    await higher.click();
    expect((await firstRow(page)).height).toBeCloseTo(52, 0);
    await page.goto("/console/audit");
    expect((await firstRow(page)).height).toBeCloseTo(52, 0);
    await expect(higher).toHaveAttribute("aria-pressed", "true");
    await higher.click();
    expect((await firstRow(page)).height).toBeCloseTo(40, 0);
  });

  test("says how many rows there are", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.goto("/console/people?q=demo-rider-1");
    await expect(page.getByRole("status").filter({ hasText: "1 shown" })).toBeVisible();
  });

  test("shows the whole text of a cell that is cut", async ({ page, musette }) => {
    const name = `Ottilie ${"Fenwick-".repeat(8)}Quill`;
    musette.addRider("long-name", name);
    await signInByLink(page, musette);
    await page.goto("/console/people?q=long-name");
    const cell = rows(page).first().locator("td").first();
    await cell.hover();
    await expect(cell).toHaveAttribute("title", name);
  });
});

test("leads from an object to the lists that it is part of", async ({ page, musette }) => {
  await signInByLink(page, musette);
  prepareFlagsScreens(musette);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  for (const [path, labels] of [
    ["people/demo-rider-1/consents", ["People"]],
    ["flags/quest-cards", ["Flags"]],
    ["flags/segments/harbour-mentors", ["Flags", "Segments"]],
    ["terms/1/coverage", ["Terms"]],
  ] as const) {
    await page.goto(`/console/${path}`);
    await expect(crumbs.getByRole("link")).toHaveText([...labels]);
  }
  await page.goto("/console/flags/segments");
  await page.getByRole("heading", { level: 1, name: "Segments" }).waitFor();
  await expect(crumbs).toHaveCount(0);
});
