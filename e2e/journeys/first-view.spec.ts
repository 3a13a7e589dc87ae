import { join } from "node:path";
import type { Page } from "@playwright/test";
import { HANDBOOK } from "../consent/screen";
import { setLook } from "../screens/every-screen";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";

const TERMS = /\/public\/terms\?/;

function requests(page: Page, what: RegExp): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (what.test(request.url())) urls.push(request.url());
  });
  return urls;
}

const row = (page: Page, id: number) => page.locator(`[data-term="${id}"]`);

test("the page of /apply contains the terms, whatever their titles contain", async ({
  page,
  musette,
}) => {
  const title = "</script><script>alert(1)</script><!--";
  const term = musette.publish(
    ...([join(prepared, "marketing.pdf"), "MARKETING", title, "--order", "9"] as const),
  );
  const urls = requests(page, TERMS);
  await page.goto("/apply");
  await expect(row(page, term.id)).toContainText(title);
  expect(urls).toEqual([]);
  await row(page, term.id).getByRole("checkbox").click();
  await expect(row(page, term.id).getByRole("checkbox")).toBeChecked();
});

test("the page of /apply contains its styles, and no later chunk fetches them", async ({
  page,
}) => {
  const urls = requests(page, /\.css$/);
  await page.goto("/apply");
  await expect(page.locator(".mu-consent-footer .mu-button")).not.toHaveCSS("border-radius", "0px");
  await row(page, 2).locator(".mu-icon-button").click();
  await expect(page.getByRole("dialog").getByRole("group").first()).toBeVisible();
  expect(urls).toEqual([]);
});

test("fetches terms in another language than the browser's own", async ({ page }) => {
  const urls = requests(page, TERMS);
  await setLook(page, { locale: "ar", dark: false });
  await page.goto("/apply");
  await expect(row(page, 1)).toContainText("اتفاقية العمل الحر");
  expect(urls).toHaveLength(1);
});

test("does not show old terms from a page that the browser stored", async ({ page, musette }) => {
  await page.goto("/apply");
  await expect(row(page, 2)).toContainText(HANDBOOK);
  await page.goto("/stage/");
  const next = musette.publish(
    ...([join(prepared, "handbook.pdf"), "FREELANCER", "Rider handbook, second edition"] as const),
    ...["--mandatory", "--order", "2", "--replaces", "2"],
  );
  await page.goBack();
  await expect(row(page, next.id)).toContainText("second edition");
});

const FIRST_OF_A_DOCUMENT = /\/assets\/document-viewer-|\/manifest\.json$/;

test("fetches what a first tap needs before the tap", async ({ page }) => {
  const ahead = requests(page, FIRST_OF_A_DOCUMENT);
  const pictures = requests(page, /\/documents\/.*\.png$/);
  await page.goto("/apply");
  await expect.poll(() => ahead.length).toBe(5);
  expect(pictures).toEqual([]);
  await row(page, 2).locator(".mu-icon-button").click();
  await expect(page.getByRole("dialog").getByRole("group").first()).toBeVisible();
  expect(ahead).toHaveLength(5);
});

for (const connection of [{ saveData: true }, { effectiveType: "2g" }]) {
  test(`fetches nothing ahead with ${JSON.stringify(connection)}`, async ({ page }) => {
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, "connection", { value });
    }, connection);
    const ahead = requests(page, FIRST_OF_A_DOCUMENT);
    await page.goto("/apply");
    await expect(row(page, 2)).toBeVisible();
    // Idle callbacks run in order, so everything that the screen requested came before these.
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    expect(ahead).toEqual([]);
    await row(page, 2).locator(".mu-icon-button").click();
    await expect(page.getByRole("dialog").getByRole("group").first()).toBeVisible();
    expect(ahead).toHaveLength(2);
  });
}
