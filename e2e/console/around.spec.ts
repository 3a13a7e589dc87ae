import { join } from "node:path";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("opens every page from the palette with the keyboard only", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("aud");
  await expect(page.getByRole("dialog").getByRole("option")).toHaveText(["Audit log"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("keys");
  await expect(page.getByRole("dialog").getByRole("option")).toHaveText([
    "Settings: SDK keys",
    "Settings: Service keys",
  ]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/settings\/keys/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.evaluate(() => document.documentElement.style.colorScheme))
    .toBe("dark");
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.style.colorScheme))
    .toBe("dark");
});

test("Escape closes the palette and restores the focus", async ({ page, musette }) => {
  await signInByLink(page, musette);
  const search = page.getByRole("button", { name: "Search" });
  await search.click();
  await expect(page.getByRole("searchbox")).toBeFocused();
  // Also with text in the field.
  await page.keyboard.type("fl");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(search).toBeFocused();
});

test("keeps the filters of the audit log in the address", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.getByRole("navigation").getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("row")).toHaveCount(5);
  await page.getByLabel("Event").selectOption("Password set");
  await expect(page).toHaveURL(/\/console\/audit\?event=password_set$/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("cell").getByRole("link", { name: "ada-admin" }).first().click();
  await expect(page).toHaveURL(/\/console\/audit\?user=ada-admin$/);
  await page.getByLabel("User ID").fill("nobody-of-this-name");
  await page.getByLabel("User ID").press("Enter");
  await expect(page.getByText("No events found")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(5);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the menu opens a page, and closes", async ({ page, musette }) => {
    await signInByLink(page, musette);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Audit log" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("cell", { name: "Password set" })).toBeVisible();
  });
});

test("the first page does not wait for pending counts", async ({ page, musette }) => {
  musette.publish(join(prepared, "handbook.pdf"), "FREELANCER", "Rider handbook", "--mandatory");
  musette.addRider("around-1", "Ottilie Fernwick");
  await signInByLink(page, musette);
  // Filling a database whose count is slow would take minutes, so the count is removed from the
  // answer.
  let requests = 0;
  await page.route("**/api/admin/v1/overview", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    requests += 1;
    if (requests === 1) for (const term of body.mandatory) delete term.riders_outstanding;
    await route.fulfill({ json: body });
  });
  await page.goto("/console/");
  await expect(page.getByText("Counting…")).toBeVisible();
  await expect(page.getByText(/^0 of \d+ riders? accepted$/)).toBeVisible();
  await expect(page.getByText("Counting…")).toHaveCount(0);
});
