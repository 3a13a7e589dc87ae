import { expect, test } from "../setup/test";
import { enterByLink } from "./admin";
import { withExperiments } from "./experiments-data";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("g and a letter go to a page, but not while somebody types", async ({ page, musette }) => {
  await enterByLink(page, musette);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  await page.getByLabel("User id").focus();
  await page.keyboard.type("gonzo");
  await expect(page.getByLabel("User id")).toHaveValue("gonzo");
  await expect(page).toHaveURL(/\/console\/audit/);
});

test("? shows what the keyboard does, and single keys can be switched off", async ({
  page,
  musette,
}) => {
  await enterByLink(page, musette);
  await page.keyboard.press("?");
  const map = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(map.getByRole("heading", { name: "Go to a page" })).toBeVisible();
  await expect(map.locator("dl > div", { hasText: "Flags" })).toContainText("gthenf");
  await map.getByLabel("Shortcuts of single keys").uncheck();
  await page.keyboard.press("Escape");
  await expect(map).toHaveCount(0);
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(map).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");

  // The palette needs no single key, and leads back to the map.
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await map.getByLabel("Shortcuts of single keys").check();
  await page.keyboard.press("Escape");
  await expect(map).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
});

test("the map is there in Arabic, from right to left", async ({ page, musette }) => {
  await enterByLink(page, musette);
  await page.evaluate(() => localStorage.setItem("musette.language", "ar"));
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  // An Arabic keyboard writes its own question mark.
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "؟", bubbles: true })),
  );
  await expect(page.getByRole("dialog", { name: "اختصارات لوحة المفاتيح" })).toBeVisible();
});

test("/ opens the palette on a page without a search of its own", async ({ page, musette }) => {
  await enterByLink(page, musette);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await expect(page.getByRole("searchbox")).toHaveValue("");
});

test("the palette finds people, flags and experiments by their names", async ({
  page,
  musette,
}) => {
  musette.addRider("rider-quill-7", "Tamsin Quill");
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("rider-qu");
  const option = page.getByRole("dialog").getByRole("option");
  await expect(option).toHaveCount(1);
  await expect(option).toContainText("rider-quill-7");
  await expect(option).toContainText("Tamsin Quill");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/people\/rider-quill-7/);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("tip");
  await expect(option).toHaveText([/^tip\s*production$/, /^tip-test\s*production$/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/experiments\/tip-test/);
});

test("a page whose code does not arrive can be tried again", async ({ page, musette, allow }) => {
  await enterByLink(page, musette);
  allow(/Failed to fetch|ERR_FAILED|dynamically imported/);
  const audit = /assets\/audit-page-.*\.js/;
  await page.route(audit, (route) => route.abort());
  const failed = page.getByRole("heading", { level: 1, name: "This page did not load" });
  await page.getByRole("navigation").getByRole("link", { name: "Audit" }).click();
  await expect(failed).toBeVisible();
  await page.unroute(audit);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
});
