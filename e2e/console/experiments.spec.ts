import { expect, test } from "../setup/test";
import { enterByLink } from "./admin";
import { withExperiments } from "./experiments-data";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

test("the list says what runs, how far it is, and what cannot be believed", async ({
  page,
  musette,
}) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  const row = (name: string) => page.getByRole("row", { name });
  await expect(row("tip-test")).toContainText("Running");
  await expect(row("tip-test")).toContainText("810");
  await expect(row("map-test")).toContainText("Sample ratio mismatch");
  await expect(row("tip-test")).not.toContainText("Sample ratio mismatch");

  await page.keyboard.press("/");
  await page.keyboard.type("map");
  await expect(page).toHaveURL(/\/console\/experiments\?.*q=map/);
  await expect(row("tip-test")).toHaveCount(0);
  await page.getByRole("button", { name: "Shipped" }).click();
  await expect(page.getByText("No experiment like this.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No experiment like this.")).toBeVisible();
});

test("results say what may be concluded, and the address says which", async ({ page, musette }) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.goto("/console/experiments/tip-test");
  await page.getByLabel("Measured as").selectOption("share of people");
  await expect(page).toHaveURL(/measure=proportion/);
  const said = page.locator("[data-part=conclusions]");
  await expect(said).toContainText(/new.? is better: between \+[\d.]+ and \+[\d.]+ points\./);
  const shown = page.getByRole("table", { name: "tip_opened" });
  await expect(shown.getByRole("row", { name: "old" })).toContainText("20.0");
  await expect(shown.getByRole("row", { name: "new" })).toContainText("40.0");
  await expect(page.getByText("They came in the proportion of the weights")).toBeVisible();

  await page.getByLabel("Goal").selectOption("lower");
  await expect(said).toContainText(/new.? is worse/);
  await page.reload();
  await expect(said).toContainText(/new.? is worse/);

  await page.getByLabel("Metric").fill("nobody_reports_this");
  await page.getByLabel("Metric").press("Enter");
  await expect(page).toHaveURL(/metric=nobody_reports_this/);
  await expect(page.getByText(/Nobody has reported .?nobody_reports_this.? yet/)).toBeVisible();
  await expect(shown).toHaveCount(0);
});

test("nothing is called better where people were lost on their way", async ({ page, musette }) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.goto("/console/experiments/map-test");
  await expect(page.getByRole("alert")).toContainText("Sample ratio mismatch");
  await expect(page.getByRole("alert")).toContainText("p < 0.0001");
  await expect(page.locator("[data-part=conclusions]")).toHaveText(
    "InvalidSample ratio mismatch: do not use these results.",
  );
  await page.getByRole("button", { name: "Ship a winner" }).click();
  // Nobody is proposed, and each is said not to be shown better.
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(dialog.getByText("not shown to be better")).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();
});

test("an experiment is set up, outlives a reload, and starts", async ({ page, musette }) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.goto("/console/experiments/new");
  await page.getByLabel("Flag", { exact: true }).fill("chat");
  await page.getByLabel("Name of the experiment").fill("tip-test");
  await page.getByLabel("Hypothesis").fill("Chat answers sooner");
  await page.getByLabel(/new.?, in percent/).fill("40");
  await page.getByRole("button", { name: "Review and start" }).click();
  await expect(page.getByText("There is an experiment with this name.").first()).toBeVisible();
  await expect(page.getByText("The shares must add up to 100 %.").first()).toBeVisible();

  await page.reload();
  await expect(page.getByText("What you had not saved is back.")).toBeVisible();
  await expect(page.getByLabel("Hypothesis")).toHaveValue("Chat answers sooner");
  await page.getByLabel("Name of the experiment").fill("chat-test");
  await page.getByRole("button", { name: "Make them equal" }).click();
  await page.getByRole("spinbutton", { name: "Traffic allocation" }).fill("50");
  await expect(page.getByText("50% of them take part.")).toBeVisible();
  await page.getByRole("button", { name: "Review and start" }).click();
  const review = page.getByRole("dialog");
  await review.getByLabel("Comment").fill("To see whether it helps");
  await review.getByRole("button", { name: "Save" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("chat-test");
  await expect(page.locator("[data-part=facts]")).toContainText("Running");
  await expect(page.getByRole("heading", { name: "No participation yet" })).toBeVisible();
  await expect(page.getByText('"experiment": "chat-test"')).toBeVisible();
});

test("an experiment is stopped, and its winner shipped to everybody", async ({ page, musette }) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.goto("/console/experiments/tip-test?measure=proportion");
  const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
  await page.getByRole("button", { name: "Stop" }).click();
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Stopped");
  await expect(page.getByText("Stopped: nobody is in it now")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("[data-part=facts]")).toContainText("Running");
  await page.getByRole("button", { name: "Stop" }).click();
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Stopped");

  await page.getByRole("button", { name: "Ship a winner" }).click();
  const winner = page.getByRole("radio", { name: "new" });
  await expect(winner).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).click();
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Shipped");

  const answer = await fetch(`${musette.url}/api/flags/v3/features/tip`, {
    method: "PUT",
    headers: {
      Authorization: `Bearer ${musette.createFlagKey()}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ userId: "whoever-comes" }),
  });
  expect(await answer.json()).toMatchObject({ variation: "new", explanation: { kind: "RULE" } });
});

test("a new phase counts anew, and the former stays readable", async ({ page, musette }) => {
  await withExperiments(musette);
  await enterByLink(page, musette);
  await page.goto("/console/experiments/tip-test");
  await page.getByRole("button", { name: "New phase" }).click();
  await page.getByRole("radio", { name: /Assign everybody anew/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const phase = page.getByLabel("Phase", { exact: true });
  await expect(phase.locator("option:checked")).toHaveText("Phase 2 (now)");
  await expect(page.getByText("0 people in all")).toBeVisible();
  await phase.selectOption("Phase 1");
  await expect(page).toHaveURL(/phase=1/);
  await expect(page.getByText("810 people in all")).toBeVisible();
});
