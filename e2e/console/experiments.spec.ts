import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { withDeclaredMetrics, withExperiments } from "./experiments-data";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

test("lists what is running, the progress, and invalid results", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
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
  await expect(page.getByText("No experiments found")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No experiments found")).toBeVisible();
});

test("shows the conclusions, and the address contains the filters", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/tip-test");
  await page.getByLabel("Measured as").selectOption("share of people");
  await expect(page).toHaveURL(/measure=proportion/);
  const conclusions = page.locator("[data-part=conclusions]");
  await expect(conclusions).toContainText(
    /new.? is better: between \+[\d.]+ and \+[\d.]+ points\./,
  );
  const shown = page.getByRole("table", { name: "tip_opened" });
  await expect(shown.getByRole("row", { name: "old" })).toContainText("20.0");
  await expect(shown.getByRole("row", { name: "new" })).toContainText("40.0");
  await expect(page.getByText("Sample ratio check passed")).toBeVisible();

  await page.getByLabel("Goal").selectOption("lower");
  await expect(conclusions).toContainText(/new.? is worse/);
  await page.reload();
  await expect(conclusions).toContainText(/new.? is worse/);

  await page.getByLabel("Metric").fill("nobody_reports_this");
  await page.getByLabel("Metric").press("Enter");
  await expect(page).toHaveURL(/metric=nobody_reports_this/);
  await expect(page.getByText(/No values of .?nobody_reports_this.? received/)).toBeVisible();
  await expect(shown).toHaveCount(0);
});

test("a declared direction decides what is better, whatever the address says", async ({
  page,
  musette,
}) => {
  await withDeclaredMetrics(musette);
  await signInByLink(page, musette);
  for (const link of ["", "?goal=higher", "?measure=mean&metric=late_start"]) {
    await page.goto(`/console/experiments/start-test${link}`);
    const conclusions = page.locator("[data-part=conclusions]");
    await expect(conclusions).toContainText(
      /new.? is better: between -[\d.]+ and -[\d.]+ points\./,
    );
    await expect(page.locator("[data-part=metric]")).toContainText("Lower is better");
    await expect(page.getByLabel("Measured as")).toHaveCount(0);
  }
  const shown = page.getByRole("table", { name: "late_start" });
  await expect(shown.getByRole("row", { name: "old" })).toContainText("14.0");
  await expect(shown.getByRole("row", { name: "new" })).toContainText("9.4");
  const ship = page.getByRole("button", { name: "Ship variation" });
  await expect(ship).toHaveAttribute("data-kind", "primary");
  await ship.click();
  await expect(page.getByRole("radio", { name: "new" })).toBeChecked();
});

test("declares and edits metrics, and shows where each decides", async ({ page, musette }) => {
  await withDeclaredMetrics(musette);
  await signInByLink(page, musette);
  await page.goto("/console/flags/metrics");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
  await expect(row("Late starts")).toContainText("Lower is better");
  await expect(row("Late starts")).toContainText("start-test goal");
  await expect(row("orders")).toContainText("start-test guardrail");
  await expect(page.getByRole("button", { name: "Remove late_start" })).toHaveCount(0);

  await page.getByRole("button", { name: "Create metric" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key", { exact: true }).fill("wait");
  await dialog.getByLabel("Kind").selectOption("Ratio of two metrics");
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await expect(dialog.getByText("Choose the metric by which it is divided.")).toBeVisible();
  await dialog.getByLabel("Divided by").selectOption("orders");
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row("wait")).toContainText("Ratio of two metrics");
  await expect(row("orders")).toContainText("denominator of wait");

  await page.getByRole("button", { name: "Edit wait" }).click();
  await dialog.getByLabel("Direction").selectOption("Lower is better");
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await expect(page.getByRole("dialog", { name: "Review and save" })).toContainText("goes down");
  await page
    .getByRole("dialog", { name: "Review and save" })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(row("wait")).toContainText("Lower is better");
  await page.getByRole("button", { name: "Remove wait" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row("wait")).toHaveCount(0);
});

test("an experiment is planned before it starts, and watched while it runs", async ({
  page,
  musette,
}) => {
  await withDeclaredMetrics(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/new?flag=chat");
  await page.getByLabel("Goal metric").selectOption("Late starts");
  const size = page.locator("[data-part=sample-size]");
  await expect(size).toContainText(/About [\d,]+ people in all variations/);
  await expect(size).toContainText("8,000 people in the last 28 days");
  await expect(size).toContainText(/Late starts.? among them: 11\.7/);
  const needed = async () =>
    Number((await size.textContent())?.replace(/^\D*([\d,]+).*/s, "$1").replace(",", ""));
  const before = await needed();
  await page.getByLabel("Minimum detectable effect").fill("40");
  await expect(size).toContainText("a change of 40%");
  await expect.poll(needed).toBeLessThan(before);

  await page.goto("/console/experiments/start-test");
  await expect(page.getByRole("heading", { name: "Over time" })).toBeVisible();
  await page.getByText("as a table").first().click();
  // A header and four days.
  await expect(page.getByRole("table", { name: "new" }).getByRole("row").nth(4)).toBeVisible();
  const others = page.getByRole("listitem").filter({ hasText: "Guardrail" }).first();
  await expect(others).toContainText("orders");
  await page.getByRole("button", { name: "Record “continue” decision" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("One more week");
  await dialog.getByRole("button", { name: "Record decision", exact: true }).click();
  await expect(page.locator("[data-part=decisions]")).toContainText("One more week");
});

for (const path of ["experiments/new?flag=chat", "experiments/start-test/edit", "holdouts/new"]) {
  test(`${path} fits a window of 320 pixels, in Arabic`, async ({ page, musette }) => {
    await withDeclaredMetrics(musette);
    await signInByLink(page, musette);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.evaluate(() => localStorage.setItem("musette.language", "ar"));
    await page.goto(`/console/${path}`);
    await page.getByRole("spinbutton").nth(1).waitFor();
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(wider).toBeLessThanOrEqual(0);
  });
}

test("calls no variation better if events were lost", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/map-test");
  await expect(page.getByRole("alert")).toContainText("Sample ratio mismatch");
  await expect(page.getByRole("alert")).toContainText("p < 0.0001");
  await expect(page.locator("[data-part=conclusions]")).toHaveText(
    "InvalidSample ratio mismatch: do not use these results.",
  );
  const ship = page.getByRole("button", { name: "Ship variation" });
  await expect(ship).toHaveAttribute("data-kind", "secondary");
  await expect(ship).toHaveAccessibleDescription(/does not match the weights/);
  await ship.click();
  // No variation is preselected, and each is marked as not shown to be better.
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(dialog.getByText("no significant improvement")).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();
});

test("sets up an experiment, restores it after a reload, and starts it", async ({
  page,
  musette,
}) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/new");
  await page.getByLabel("Flag", { exact: true }).fill("chat");
  await page.getByLabel("Experiment key").fill("tip-test");
  await page.getByLabel("Hypothesis").fill("Chat answers sooner");
  await page.getByLabel(/new.?, in percent/).fill("40");
  await page.getByRole("button", { name: "Review and start experiment" }).click();
  await expect(page.getByText("Choose the metric that should improve.").first()).toBeVisible();
  await expect(page.getByText("There is an experiment with this name.").first()).toBeVisible();
  await expect(page.getByText("The percentages must add up to 100.").first()).toBeVisible();

  await page.reload();
  await expect(page.getByText("What you had not saved is back.")).toBeVisible();
  await expect(page.getByLabel("Hypothesis")).toHaveValue("Chat answers sooner");
  await page.getByLabel("Experiment key").fill("chat-test");
  await page.getByLabel("Goal metric").selectOption("Create metric…");
  await expect(page.getByText("No metrics are defined.")).toBeVisible();
  await page.getByLabel("Key", { exact: true }).fill("answer_time");
  await page.getByLabel("Direction").selectOption("Lower is better");
  await page.getByLabel("Kind").selectOption("Mean of values");
  await page.getByRole("button", { name: "Distribute evenly" }).click();
  await page.getByRole("spinbutton", { name: "Traffic allocation" }).fill("50");
  await expect(page.getByText("Traffic allocation: 50%")).toBeVisible();
  await page.getByRole("button", { name: "Review and start experiment" }).click();
  const review = page.getByRole("dialog");
  await expect(review.getByRole("heading", { name: "Metric answer_time" })).toBeVisible();
  await review.getByLabel("Comment").fill("To see whether it helps");
  await review.getByRole("button", { name: "Save" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("chat-test");
  await expect(page.locator("[data-part=facts]")).toContainText("Running");
  await expect(page.getByRole("heading", { name: "No exposures yet" })).toBeVisible();
  await expect(page.getByText('"experiment": "chat-test"')).toBeVisible();
});

test("stops an experiment, and ships its winner to all people", async ({ page, musette }) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/tip-test?measure=proportion");
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  const why = (reason: string) => dialog.getByLabel("Comment").fill(reason);
  await page.getByRole("button", { name: "Stop experiment" }).click();
  await why("Enough was seen");
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Stopped");
  await expect(page.getByText("Stopped. Data collection has ended")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("[data-part=facts]")).toContainText("Running");
  await page.getByRole("button", { name: "Stop experiment" }).click();
  await why("Enough was seen");
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Stopped");

  await page.getByRole("button", { name: "Ship variation" }).click();
  const winner = page.getByRole("radio", { name: "new" });
  await expect(winner).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).click();
  await why("More people open it");
  await save.click();
  await expect(page.locator("[data-part=facts]")).toContainText("Shipped");
  const decisions = page.locator("[data-part=decisions]");
  await expect(decisions).toContainText("More people open it");
  await expect(decisions).toContainText("ada-admin");
  await decisions.getByText("Results at that time").first().click();
  await expect(decisions).toContainText(/tip_opened.*new.*Better/);

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

test("a new phase counts from zero, and the former one remains readable", async ({
  page,
  musette,
}) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/experiments/tip-test");
  await page.getByRole("button", { name: "Start new phase" }).click();
  await page.getByRole("radio", { name: /Reassign all participants/ }).check();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const phase = page.getByLabel("Phase", { exact: true });
  await expect(phase.locator("option:checked")).toHaveText("Phase 2 (now)");
  await expect(page.getByText("Total: 0 participants")).toBeVisible();
  await phase.selectOption("Phase 1");
  await expect(page).toHaveURL(/phase=1/);
  await expect(page.getByText("Total: 810 participants")).toBeVisible();
});
