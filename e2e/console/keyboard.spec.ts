import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { withExperiments } from "./experiments-data";
import { enterWithFlags } from "./flags-data";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("g and a letter open a page, but not while the person types", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
  await page.getByLabel("User ID").focus();
  await page.keyboard.type("gonzo");
  await expect(page.getByLabel("User ID")).toHaveValue("gonzo");
  await expect(page).toHaveURL(/\/console\/audit/);
});

test("? lists the keyboard shortcuts, and single keys can be switched off", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.keyboard.press("?");
  const map = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(map.getByRole("heading", { name: "Go to a page" })).toBeVisible();
  await expect(map.locator("dl > div", { hasText: "Flags" })).toContainText("gthenf");
  await map.getByLabel("Single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await expect(map).toHaveCount(0);
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(map).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");

  // The palette works without single keys, and can open the list of shortcuts.
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await map.getByLabel("Single-key shortcuts").check();
  await page.keyboard.press("Escape");
  await expect(map).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
});

/** Moves the focus like a person without a mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < 150; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not get there");
}

test("creates a key without a mouse", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/settings/keys");
  const create = page.getByRole("button", { name: "Create SDK key" });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await tabTo(page, dialog.getByLabel("Name"));
  await page.keyboard.type("Rider app, web");
  await tabTo(page, dialog.getByRole("button", { name: "Create SDK key" }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("code")).toContainText("musette_client_");
  await tabTo(page, dialog.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(create).toBeFocused();
});

test("widens a share without a mouse, and keeps the focus", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/support-chat");
  await tabTo(page, page.getByRole("button", { name: /Whoever started this autumn/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("spinbutton", { name: "Percent" }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("100");
  await tabTo(page, page.getByRole("button", { name: "Review and save" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change support-chat" });
  await expect(dialog.getByRole("insertion")).toContainText("100%");
  await tabTo(page, dialog.getByLabel("Comment"));
  await page.keyboard.type("everybody new");
  await tabTo(page, dialog.getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved as version 2.")).toBeVisible();
  // The button that opened the dialog disappears, because there is nothing more to save.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("shows the shortcuts in Arabic, from right to left", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.evaluate(() => localStorage.setItem("musette.language", "ar"));
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  // An Arabic keyboard has its own question mark.
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "؟", bubbles: true })),
  );
  await expect(page.getByRole("dialog", { name: "اختصارات لوحة المفاتيح" })).toBeVisible();
});

test("/ opens the palette on a page without a search field", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await expect(page.getByRole("searchbox")).toHaveValue("");
});

test("the palette finds people, flags and experiments by name", async ({ page, musette }) => {
  musette.addRider("rider-quill-7", "Tamsin Quill");
  await withExperiments(musette);
  await signInByLink(page, musette);
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

test("offers a retry for a page whose code does not load", async ({ page, musette, allow }) => {
  await signInByLink(page, musette);
  allow(/Failed to fetch|ERR_FAILED|dynamically imported/);
  const audit = /assets\/audit-page-.*\.js/;
  await page.route(audit, (route) => route.abort());
  const failed = page.getByRole("heading", { level: 1, name: "This page could not be loaded" });
  await page.getByRole("navigation").getByRole("link", { name: "Audit log" }).click();
  await expect(failed).toBeVisible();
  await page.unroute(audit);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
});
