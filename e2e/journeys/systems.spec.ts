import type { Page } from "@playwright/test";
import { signInByLink } from "../console/admin";
import { setLook } from "../screens/every-screen";
import { axeBuilder } from "../setup/axe";
import { signIn } from "../setup/sign-in";
import { publishSystem } from "../setup/systems";
import { expect, test } from "../setup/test";
import { overflowX } from "./phones";

test.use({ store: "empty" });

const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

test("a colleague publishes a system, and a rider reads how decisions are made", async ({
  page,
  musette,
  allow,
}) => {
  // The first attempt to save is refused.
  allow(/status of 422/);
  // The page of a new system asks whether it exists.
  allow(/status of 404/);
  musette.addRider("rider-1", "Ottilie Fenwick");
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInByLink(page, musette);
  const section = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Automated systems" });
  await expect(section).toHaveCount(0);
  await page.goto("/console/automated-systems");
  await expect(page.getByText("The register is empty.")).toBeVisible();
  await page.getByRole("button", { name: "Add system" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill("Order dispatch");
  await expect(dialog.getByRole("alert")).toContainText("lower-case letters");
  await dialog.getByLabel("Key").fill("order-dispatch");
  await dialog.getByRole("button", { name: "Continue" }).click();

  await page.getByLabel("Name", { exact: true }).fill("Order dispatch");
  await page.getByLabel("Purpose").fill("Offers orders to riders.");
  await page.getByLabel("Language of these texts").fill("en");
  await page.getByRole("button", { name: "Parameters: Add item" }).click();
  await page.getByLabel("Parameter", { exact: true }).fill("Distance");
  await page.getByLabel("Description").fill("The nearest rider is asked first.");
  await page.getByLabel("Weight").selectOption("main");
  await page.getByLabel("Name of the person or department").fill("Rider support");
  await page.getByLabel("E-mail address").fill("riders@larkspur.example");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByLabel("Human oversight")).toBeFocused();
  await expect(page.getByText("Fill in this field.")).toBeVisible();
  // Unsaved changes survive a reload.
  await page.reload();
  await expect(page.getByLabel("Purpose")).toHaveValue("Offers orders to riders.");
  await page.getByLabel("Human oversight").fill("A dispatcher can assign each order.");
  await page.getByLabel("Language tag").fill("de");
  await page.getByRole("button", { name: "Add translation" }).click();
  const german = page.locator("details", { hasText: "German" });
  await german.getByLabel("Name", { exact: true }).fill("Auftragsverteilung");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("The draft is saved.")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Publish version" }).click();
  await expect(dialog).toContainText("decisions can name only published systems");
  await dialog.getByRole("button", { name: "Publish version" }).click();
  await expect(page.getByRole("article")).toContainText("Version 1");
  await expect(page.getByRole("article")).toContainText("In effect");
  await expect(section).toBeVisible();

  // The next version is scheduled, with its differences.
  await page.getByRole("button", { name: "Edit as draft" }).click();
  await page.getByLabel("Purpose").first().fill("Offers and withdraws orders.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Publish version" }).click();
  await dialog.getByLabel("Takes effect").selectOption("at");
  await expect(dialog.getByRole("deletion")).toHaveText("Offers orders to riders.");
  await dialog.getByRole("button", { name: "Publish version" }).click();
  const second = page.getByRole("article").first();
  await expect(second).toContainText("Scheduled");
  await expect(second.getByRole("insertion")).toHaveText("Offers and withdraws orders.");
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 360, height: 720 });
  await signIn(page, musette, "rider-1");
  await page.goto("/");
  await page.getByRole("link", { name: "How decisions are made" }).click();
  const card = page.locator(".system");
  await expect(card.getByRole("heading", { name: "Order dispatch" })).toBeVisible();
  await expect(card).toContainText("Offers orders to riders.");
  await expect(card).toContainText("The nearest rider is asked first.");
  await expect(card).toContainText("A dispatcher can assign each order.");
  await expect(card.getByRole("link")).toHaveAttribute("href", /^mailto:riders/);
  expect(await violations(page)).toEqual([]);
  await setLook(page, { locale: "de", dark: false });
  await page.reload();
  const heading = card.getByRole("heading", { name: "Auftragsverteilung" });
  await expect(heading).toHaveAttribute("lang", "de");
});

test("the register is shown only in its market, and not where it is empty", async ({
  page,
  musette,
  allow,
}) => {
  // This server is not a demo, which the app finds out by a request.
  allow(/404 \(Not Found\)/);
  musette.addRider("rider-1", "Ottilie Fenwick");
  const ready = () => page.getByRole("link", { name: "My devices" }).waitFor();
  const link = page.getByRole("link", { name: "How decisions are made" });
  await signIn(page, musette, "rider-1");
  await page.goto("/");
  await ready();
  await expect(page.getByText("Hello, Ottilie Fenwick.")).toBeVisible();
  await expect(link).toHaveCount(0);
  await publishSystem(musette, { markets: ["ES"] });
  await page.goto("/automated-systems?market=DE");
  await expect(page.getByText("The company has not published")).toBeVisible();
  await page.goto("/automated-systems?market=ES-MD");
  await expect(page.locator(".system")).toHaveCount(1);
});

for (const { locale, width, dark } of [
  { locale: "ar", width: 320, dark: true },
  { locale: "en", width: 320, dark: false },
]) {
  test(`the page fits a phone of ${width} pixels in ${locale}`, async ({ page, musette }) => {
    await publishSystem(musette);
    await page.setViewportSize({ width, height: 720 });
    await setLook(page, { locale, dark });
    await page.goto("/automated-systems");
    await page.locator(".system").waitFor();
    expect(await overflowX(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
}
