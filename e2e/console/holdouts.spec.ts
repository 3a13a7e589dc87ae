import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { withExperiments } from "./experiments-data";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

test("compares a holdout's people with a group of the same size", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  const row = page.getByRole("row", { name: "2026-q4" });
  await expect(row).toContainText("Running");
  await expect(row).toContainText("610");
  await row.getByRole("link").click();
  await expect(
    page.getByText("Choose a metric").or(page.getByText("no goal metric")),
  ).toBeVisible();
  await page.getByLabel("Metric").fill("orders");
  await page.getByLabel("Metric").press("Enter");
  await expect(page).toHaveURL(/metric=orders/);
  await expect(page.locator("[data-part=conclusions]")).toContainText(
    /Comparison group.?: no significant difference/,
  );
});

test("creates a holdout, and analyses it", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/holdouts/new");
  await page.getByLabel("Holdout key").fill("2027-q1");
  const size = page.getByRole("spinbutton", { name: "Held out, in percent" });
  await size.fill("60");
  await page.getByRole("button", { name: "Review and start holdout" }).click();
  await expect(page.getByText("More than 0, and at most 50.").first()).toBeVisible();
  await size.fill("3");
  await expect(page.getByText("94% get everything, and are not counted.")).toBeVisible();
  await page.getByLabel("Goal metric").selectOption("Create metric…");
  await page.getByLabel("Key", { exact: true }).fill("orders");
  await page.getByLabel("Kind").selectOption("Sum per person");
  await page.getByLabel("Exceptions").fill("chat");
  await page.getByLabel("Exceptions").press("Enter");
  await expect(page.getByText(/It holds back 2 flags/)).toBeVisible();
  await page.getByRole("button", { name: "Review and start holdout" }).click();
  const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
  await save.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2027-q1");
  await expect(page.getByRole("heading", { name: "No exposures yet" })).toBeVisible();

  await page.getByRole("button", { name: "Start analysis" }).click();
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Analysis");
  const people = musette.createFlagKey();
  const answer = await fetch(`${musette.url}/api/flags/v3/features`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${people}`, "Content-Type": "application/json" },
    body: JSON.stringify({ userId: "whoever-comes", featureList: ["tip"] }),
  });
  const { flags } = await answer.json();
  expect(flags.tip.holdoutsEvaluations.map(({ key }: { key: string }) => key)).toEqual([
    "2026-q4",
    "2027-q1",
  ]);
});

test("warns a person who edits the size of a running holdout that people will move", async ({
  page,
  musette,
}) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/holdouts/2026-q4/edit");
  const warning = page.getByText("create a new one instead");
  await expect(page.getByRole("spinbutton", { name: "Held out, in percent" })).toHaveValue("2");
  await expect(warning).toHaveCount(0);
  await page.getByRole("spinbutton", { name: "Held out, in percent" }).fill("4");
  await expect(warning).toBeVisible();
});
