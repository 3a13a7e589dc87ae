import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";

const TIP = /^Tip: /;

/** Imports the flags of the demonstration, without its many documents. Returns the key. */
async function withFlags(page: Page, musette: Musette): Promise<string> {
  const demo = new URL("../../demo/flags.json", import.meta.url);
  musette.importFlags(JSON.parse(readFileSync(demo, "utf8")));
  const flag_key = musette.createFlagKey();
  await page.route("/api/demo/v1", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), flag_key } });
  });
  return flag_key;
}

interface Arm {
  readonly arm: string;
  /** The number of people, and how many of them reported a value. */
  readonly units: number;
  readonly reported: number;
  readonly mean: number;
}

interface Results {
  readonly arms: readonly Arm[];
  readonly metric?: { readonly name: string; readonly arms: readonly Arm[] };
}

/** Returns a function that reads the results of an A/B test or a holdout. */
function resultsOf(page: Page, musette: Musette, what: string): () => Promise<Results> {
  musette.addAdmin("ada-admin", "ada@larkspur.example");
  const headers = { Authorization: `Bearer ${musette.tokens("ada-admin", 300).dhhToken}` };
  const url = `/api/admin/v1/${what}/results?environment=production`;
  return async () => (await page.request.get(url, { headers })).json();
}

test("a flag selects a visitor's tip, and the A/B test counts them and their opening once", async ({
  page,
  musette,
}) => {
  await withFlags(page, musette);
  await page.goto("/");
  const tip = page.getByText(TIP);
  await expect(tip).toBeVisible();
  const words = await tip.textContent();
  await page.reload();
  await expect(tip).toHaveText(String(words));
  for (const _ of ["open", "close", "open"]) await tip.click();

  const results = resultsOf(page, musette, "experiments/start-tip");
  const metricResults = async () => {
    const { metric } = await results();
    const arms = metric?.arms.filter(({ units }) => units > 0);
    return {
      name: metric?.name,
      arms: arms?.map(({ units, reported, mean }) => [units, reported, mean]),
    };
  };
  // One person who opened it. Opening it twice in one visit counts once.
  await expect
    .poll(metricResults, { timeout: 20_000 })
    .toEqual({ name: "tip_opened", arms: [[1, 1, 1]] });
});

test("counts a held-out rider in the holdout", async ({ page, musette }) => {
  const key = await withFlags(page, musette);
  const group = async (userId: string): Promise<string> => {
    const answer = await page.request.put("/api/flags/v3/features/support-chat", {
      headers: { Authorization: `Bearer ${key}` },
      data: { key: userId, userId },
    });
    return (await answer.json()).holdoutsEvaluations[0].group;
  };
  // One in fifty is held out. The test searches for one, because it depends on the salt of the
  // demonstration.
  let at = 0;
  while ((await group(`rider-${at}`)) !== "HELD_OUT") at += 1;
  musette.addRider(`rider-${at}`, "Ines Averbeck");
  await signIn(page, musette, `rider-${at}`);
  await page.goto("/");
  await expect(page.getByText("8:00 AM")).toBeVisible();

  const results = resultsOf(page, musette, "holdouts/2026-q4");
  const unitCounts = async () => (await results()).arms.map(({ arm, units }) => `${arm} ${units}`);
  await expect.poll(unitCounts, { timeout: 20_000 }).toEqual(["HELD_OUT 1", "COMPARISON 0"]);
});

test("the overlay appears on request, and changes only the page of this device", async ({
  page,
  musette,
}) => {
  await withFlags(page, musette);
  await page.goto("/");
  await expect(page.getByText(TIP)).toBeVisible();
  await expect(page.locator("musette-flags")).toHaveCount(0);

  await page.goto("/?musette-flags=1");
  const overlay = page.locator("musette-flags section");
  await overlay.getByText("start-tip", { exact: true }).first().click();
  await expect(overlay.getByText("AB_TEST · experiment:start-tip")).toBeVisible();
  await overlay.getByLabel("On this device").fill("none");
  await overlay.getByRole("button", { name: "Set" }).click();
  await expect(page.getByText(TIP)).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(TIP)).toHaveCount(0);
  await page.goto("/?musette-flags=1");
  await overlay.getByRole("button", { name: "Reset all" }).click();
  await expect(page.getByText(TIP)).toBeVisible();
});
