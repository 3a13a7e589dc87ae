import { axeBuilder } from "../setup/axe";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("declares a market, moves a person there, and filters lists by it", async ({
  page,
  musette,
  allow,
}) => {
  // A market with people in it cannot be removed.
  allow(/status of 409/);
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addRider("rider-2", "Bram Tolliver");
  await signInByLink(page, musette);
  await page.goto("/console/settings/markets");
  await expect(page.getByText("No markets yet")).toBeVisible();
  await page.getByRole("button", { name: "Add market" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code").fill("DE-BE.berlin");
  await dialog.getByLabel("Name").fill("Berlin");
  await dialog.getByLabel("Time zone").fill("Europe/Berlin");
  await dialog.getByRole("button", { name: "Add market" }).click();
  await expect(page.getByRole("row", { name: /^Berlin/ })).toContainText("Europe/Berlin");
  await expect(page.getByRole("row", { name: /^Germany/ })).toBeVisible();

  await page.goto("/console/people/rider-1/account");
  await page.getByLabel("Market", { exact: true }).fill("DE-BE.berlin");
  await page.getByRole("button", { name: "Save market" }).click();
  await expect(page.getByText("Market saved")).toBeVisible();

  await page.goto("/console/people");
  await expect(page.getByRole("link", { name: "Bram Tolliver" })).toBeVisible();
  await page.getByLabel("Market", { exact: true }).selectOption("DE");
  await expect(page).toHaveURL(/market=DE/);
  await expect(page.getByRole("link", { name: "Bram Tolliver" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Ottilie Fenwick" })).toBeVisible();

  await page.goto("/console/settings/markets");
  await page.getByRole("button", { name: "Remove DE-BE.berlin" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(/^This market has people/);
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
});

test("finds one of a thousand markets by name", async ({ page, musette, allow }) => {
  test.setTimeout(300_000);
  allow(/status of 422/);
  const codes = Array.from({ length: 1000 }, (_, at) => `${["DE", "UY", "IE"][at % 3]}.town-${at}`);
  await signInByLink(page, musette);
  const headers = {
    Authorization: `Bearer ${musette.tokens("ada-admin", 900).dhhToken}`,
    "Content-Type": "application/json",
  };
  for (const code of codes) {
    const path = `${musette.url}/api/admin/v1/markets/${code}`;
    const body = JSON.stringify({ name: `Town ${code.split("-")[1]}`, timezone: null });
    await fetch(path, { method: "PUT", headers, body });
  }
  await page.goto("/console/settings/markets");
  await expect(page.getByRole("row")).toHaveCount(1 + 3 + 1000);
  await page.getByLabel("Find by name or code").pressSequentially("town 999");
  await expect(page).toHaveURL(/q=town/);
  // The table also contains the head and the country of the market.
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("row", { name: /^Town 999/ })).toBeVisible();
  await page.getByLabel("Find by name or code").fill("nowhere");
  await expect(page.getByText("No markets found")).toBeVisible();
  // The filter of a list has a search field as well, instead of a thousand options.
  musette.addRider("rider-1", "Ottilie Fenwick");
  await page.goto("/console/people");
  const filter = page.getByRole("combobox", { name: "Market" });
  await filter.fill("nowhere");
  await expect(page.getByText("No markets found")).toBeVisible();
  await expect(page.getByRole("link", { name: "Ottilie Fenwick" })).toBeVisible();
  await filter.fill("Town 999");
  await expect(page).toHaveURL(/market=DE.town-999/);
  await expect(page.getByRole("link", { name: "Ottilie Fenwick" })).toHaveCount(0);
  await filter.fill("");
  await expect(page).not.toHaveURL(/market/);
  await expect(page.getByRole("link", { name: "Ottilie Fenwick" })).toBeVisible();
  await page.goto("/console/settings/markets");
  // An invalid country or time zone is reported at its field.
  await page.getByRole("button", { name: "Add market" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code").fill("XX");
  await dialog.getByLabel("Time zone").fill("Europe/Nowhere");
  await dialog.getByRole("button", { name: "Add market" }).click();
  await expect(dialog.getByText("This country or subdivision code does not exist.")).toBeVisible();
  await dialog.getByLabel("Code").fill("FR");
  await dialog.getByRole("button", { name: "Add market" }).click();
  await expect(dialog.getByText("This time zone does not exist.")).toBeVisible();
});

test("imports people from a file: first a preview, then the import", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 422/);
  musette.addRider("rider-1", "Ottilie Fenwick");
  await signInByLink(page, musette);
  await page.goto("/console/people");
  await page.getByRole("button", { name: "Import people" }).click();
  const dialog = page.getByRole("dialog");
  const choose = (text: string) =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("id,name,roles\nrider-1,Ottilie Fenwick,emperor\n");
  await expect(dialog.getByRole("alert")).toContainText("1 row is wrong. Nothing was changed.");
  await choose("id,name\nrider-1,Ottilie Fen\nrider-2,Bram Tolliver\n");
  await expect(dialog).toContainText("1 people to add, 1 to change, 0 unchanged");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("Imported: 1 added, 1 changed.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Bram Tolliver" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ottilie Fen" })).toBeVisible();
});
