import { readFileSync } from "node:fs";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ viewport: { width: 1280, height: 900 } });

test("keeps the filters of the list in the address", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/terms");
  await expect(page.getByRole("table")).toHaveCount(3);
  await page.getByLabel("Type").selectOption("FREELANCER");
  await page.getByLabel("Sort by").selectOption("Title");
  await expect(page).toHaveURL(/\/console\/terms\?type=FREELANCER&sort=title$/);
  const titles = page.getByRole("rowheader").getByRole("link");
  const sorted = [
    "Equipment certificate",
    "Freelancer agreement",
    "Rider handbook and safety rules",
  ];
  await expect(titles).toHaveText(sorted);
  await page.reload();
  await expect(titles).toHaveText(sorted);
  await page.getByRole("link", { name: "Draft", exact: true }).click();
  await expect(page.getByText("No documents found")).toBeVisible();
  await page.goBack();
  await expect(titles).toHaveText(sorted);
});

test("changes the order by dragging or with the keyboard, and restores it", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/terms?type=FREELANCER");
  const titles = page.getByRole("rowheader").getByRole("link");
  const [agreement, handbook, equipment] = [
    "Freelancer agreement",
    "Rider handbook and safety rules",
    "Equipment certificate",
  ];
  await expect(titles).toHaveText([agreement, handbook, equipment]);
  await page.getByRole("button", { name: "Reorder documents" }).click();
  const lines = page.getByRole("dialog").getByRole("listitem");
  await page.getByRole("button", { name: `Move “${agreement}” down` }).press("Enter");
  await expect(lines).toContainText([handbook, agreement, equipment]);
  // The focus remains on the button of the moved line.
  await page.keyboard.press("Enter");
  await expect(lines).toContainText([handbook, equipment, agreement]);
  const from = await lines.nth(1).getByTitle("Drag to reorder").boundingBox();
  const to = await lines.nth(0).boundingBox();
  if (!from || !to) throw new Error("The lines are not on the page");
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, to.y + 8, { steps: 4 });
  await page.mouse.up();
  await expect(lines).toContainText([equipment, handbook, agreement]);
  await page.getByRole("button", { name: "Save order" }).click();
  await expect(titles).toHaveText([equipment, handbook, agreement]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(titles).toHaveText([agreement, handbook, equipment]);
});

test("counts riders by their latest decision; finds and exports those of a list", async ({
  page,
  musette,
}) => {
  musette.addRider("r-3", "=HYPERLINK(1)");
  musette.importConsents([
    ["demo-rider-1", 1, true, "en"],
    ["demo-rider-2", 1, false, "ar"],
  ]);
  await signInByLink(page, musette);
  await page.getByRole("link", { name: "Freelancer agreement" }).click();
  await expect(page).toHaveURL(/\/console\/terms\/1\/coverage$/);
  await expect(page.getByText("No rider has seen this version yet.")).toBeVisible();
  await expect(page.getByText("33.3% accepted: 1 of 3 riders")).toBeVisible();

  const chart = "Latest decisions of riders per day";
  await page.getByRole("slider", { name: chart }).focus();
  await expect(page.getByText(/: Accepted 1 · Declined 1 · Withdrawn 0$/)).toBeVisible();
  await page.getByText("Show as table").click();
  await expect(page.getByRole("table", { name: chart }).getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "90 days" }).click();
  await expect(page).toHaveURL(/\?days=90$/);
  await expect(page.getByRole("row", { name: /^Arabic/ })).toContainText("0%");

  const pending = page.getByRole("table", { name: "Pending riders" });
  await expect(pending.getByRole("row")).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search" }).fill("tolli");
  await expect(page).toHaveURL(/q=tolli/);
  await expect(page.getByText("No rider in this list matches this search.")).toBeVisible();
  await page.getByRole("link", { name: "Declined (1)" }).click();
  const declined = page.getByRole("table", { name: "Riders who declined" });
  await expect(declined.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "Pending (1)" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await expect(pending.getByRole("row")).toHaveCount(2);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file).toBe("\uFEFFID,Name\r\nr-3,'=HYPERLINK(1)\r\n");
  await expect(page.getByText("1 rider exported.")).toBeVisible();
});
