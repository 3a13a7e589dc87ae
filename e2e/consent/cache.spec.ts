import { join } from "node:path";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { AGREEMENT, consentScreen, MARKETING, SCAN } from "./screen";

const TERMS = "/api/rooster/v3/public/terms?types=FREELANCER,MARKETING";

test("fetches changed terms past the browser's HTTP cache", async ({ browser, musette }) => {
  // A page without routes, because Playwright disables the cache as soon as there is one.
  const context = await browser.newContext({ baseURL: musette.url });
  const page = await context.newPage();
  await page.goto("/apply");
  const { accept, all, box, screen, alert } = consentScreen(page);
  await all.click();
  const ask = async (terms: string) => {
    const headers = { Accept: "application/json", "Accept-Language": "en" };
    const answer: readonly { readonly id: number }[] = await (
      await fetch(terms, { headers })
    ).json();
    return answer.map(({ id }) => id);
  };
  // The terms were in the page itself, so this request fills the cache.
  expect(await page.evaluate(ask, TERMS)).toEqual([1, 2, 3, 4]);
  const next = musette.publish(
    ...([join(prepared, "handbook.pdf"), "FREELANCER", "Rider handbook, second edition"] as const),
    ...["--mandatory", "--order", "2", "--replaces", "2"],
  );
  const listed = await page.evaluate(ask, TERMS);
  expect(listed, "the cache still answers").toEqual([1, 2, 3, 4]);

  await accept.click();
  await expect(alert).toContainText("The terms have changed in the meantime.");
  const row = screen.locator(`[data-term="${next.id}"]`);
  await expect(row).toContainText("Rider handbook, second edition");
  for (const title of [AGREEMENT, SCAN, MARKETING]) await expect(box(title)).toBeChecked();
  await row.getByRole("checkbox").click();
  await accept.click();
  await expect(page.locator(".receipt")).toBeVisible();
  const decided = musette.decisions().map((one) => one.terms_and_conditions_id);
  expect(decided.toSorted()).toEqual([1, next.id, 3, 4].toSorted());
  await context.close();
});
