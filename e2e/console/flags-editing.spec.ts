import { expect, test } from "../setup/test";
import { demo, enterWithFlags, importFlags, withChanged } from "./flags-data";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

test("keeps unsaved changes over a reload, and can discard them", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  await page.getByLabel("Description").fill("Receipts as a file");
  await page.reload();
  await expect(page.getByText("Your unsaved changes were restored")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Receipts as a file");
  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Flags" })
    .click();
  await expect(page.getByText("Unsaved changes:")).toBeVisible();
  await page.getByRole("link", { name: "receipt-export" }).first().click();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Rules" })).toBeVisible();
  await expect(page.getByText("Your unsaved changes were restored")).toHaveCount(0);
});

test("two people change two flags: both changes are kept", async ({ page, musette, allow }) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  await page.getByLabel("Owner").fill("mine");
  await page.getByRole("button", { name: "Review and save" }).click();
  importFlags(musette, withChanged("cash-orders", { owner: "theirs" }));
  allow(/status of 412/);
  const dialog = page.getByRole("dialog", { name: "Change receipt-export" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("status")).toContainText("Your change is added to it");
  await expect(dialog).not.toContainText("cash-orders");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved as version 3.")).toBeVisible();
  await page.goto("/console/flags?q=cash-orders");
  await expect(page.getByRole("cell", { name: "theirs" })).toBeVisible();
});

test("two people change one flag: one of them chooses", async ({ page, musette, allow }) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  await page.getByLabel("Owner").fill("mine");
  await page.getByRole("button", { name: "Review and save" }).click();
  importFlags(musette, withChanged("receipt-export", { owner: "theirs" }));
  allow(/status of 412/);
  const dialog = page.getByRole("dialog", { name: "Change receipt-export" });
  const save = dialog.getByRole("button", { name: "Save" });
  await save.click();
  await expect(dialog.getByRole("group")).toContainText("Conflicting fields: Flag receipt-export");
  await expect(save).toBeDisabled();
  await dialog.getByRole("radio", { name: "Keep mine" }).check();
  await expect(dialog.getByRole("list").last()).toContainText("theirs");
  await save.click();
  await expect(page.getByText("Saved as version 3.")).toBeVisible();
  await expect(page.getByLabel("Owner")).toHaveValue("mine");
});

test("two people change two fields of one flag: both changes are kept", async ({
  page,
  musette,
  allow,
}) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  await page.getByLabel("Owner").fill("mine");
  await page.getByRole("button", { name: "Review and save" }).click();
  importFlags(musette, withChanged("receipt-export", { on: false, description: "theirs" }));
  allow(/status of 412/);
  const dialog = page.getByRole("dialog", { name: "Change receipt-export" });
  const save = dialog.getByRole("button", { name: "Save" });
  await save.click();
  await expect(dialog.getByRole("status")).toContainText("Your change is added to it");
  await expect(dialog.getByRole("radio")).toHaveCount(0);
  await expect(dialog.getByRole("insertion")).toHaveText(/mine/);
  await save.click();
  await expect(page.getByText("Saved as version 3.")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("theirs");
  await expect(page.getByLabel("Owner")).toHaveValue("mine");
  await expect(page.getByRole("switch", { name: "receipt-export" })).not.toBeChecked();
});

test("shows the server's errors at their fields", async ({ page, musette, allow }) => {
  allow(/status of 422/);
  await enterWithFlags(page, musette, "/flags/e-bike-checklist");
  await page.getByRole("button", { name: /vehicle is one of/ }).click();
  await page.getByRole("combobox", { name: "Comparison" }).first().selectOption("matches");
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("e-(bike");
  await expect(page.getByText("The regular expression is invalid.").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Value", exact: true })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await expect(page.getByText("Fix the errors to see the result.")).toBeVisible();
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("e-.*bike");
  await expect(page.getByText("The regular expression is invalid.")).toHaveCount(0);
});

test("refuses a cycle of prerequisites, and shows it", async ({ page, musette, allow }) => {
  allow(/status of 422/);
  await enterWithFlags(page, musette, "/flags/quests-service");
  await page.getByPlaceholder("Flag key").fill("quest-cards");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(
    "quests-service → quest-cards → quests-service",
  );
  await page.getByRole("button", { name: "Review and save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    "Circular dependency between prerequisites",
  );
});

test("creates a flag: type, rule, person, saved", async ({ page, musette }) => {
  await enterWithFlags(page, musette);
  await page.getByRole("button", { name: "Create flag" }).click();
  const dialog = page.getByRole("dialog", { name: "Create flag" });
  await dialog.getByLabel("Key").fill("quest-cards");
  await expect(dialog.getByRole("alert")).toContainText("This key is already used.");
  await dialog.getByLabel("Key").fill("Slot Swap!");
  await expect(dialog.getByRole("alert")).toContainText("lower-case letters, digits");
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();
  await dialog.getByLabel("Key").fill("slot-swap");
  await dialog.getByRole("radio", { name: /JSON/ }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/flags\/slot-swap\?env=production/);
  await expect(page.getByText("This flag is new.")).toBeVisible();

  const values = page.getByRole("textbox", { name: "Value", exact: true });
  await values.nth(1).fill('{ "days": 3,\n  }');
  await expect(page.getByText("Invalid JSON at line 2, column 3.")).toBeVisible();
  await values.nth(1).fill('{ "days": 3 }');
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Add segment" }).click();
  await page.getByRole("radio", { name: "Percentage rollout" }).check();
  await page.getByRole("slider", { name: "Share" }).fill("30");
  await page.getByRole("button", { name: "Add step" }).click();
  await page.getByRole("button", { name: "Add person" }).click();
  await page.getByLabel("Id", { exact: true }).fill("demo-rider-1");

  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved as version 2.")).toBeVisible();
  await expect(page.getByRole("switch", { name: "slot-swap" })).toBeChecked();
  await expect(page.getByRole("button", { name: /in segment “harbour-mentors”/ })).toContainText(
    "30%",
  );
});

test("keeps a flag that others need, and deletes one completely that they do not", async ({
  page,
  musette,
}) => {
  await enterWithFlags(page, musette, "/flags/quests-service");
  await page.getByRole("button", { name: "Delete" }).click();
  const needed = page.getByRole("dialog", { name: "Delete quests-service" });
  await expect(needed.getByRole("link")).toHaveText(["quest-cards"]);

  await page.goto("/console/flags/cash-orders");
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete cash-orders" });
  await expect(dialog).toContainText("Holdout 2026-q4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("cash-orders deleted.")).toBeVisible();
  await expect(page.getByText("8 flags")).toBeVisible();

  await page.goto("/console/flags/receipt-export");
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("receipt-export is archived.")).toBeVisible();
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/receipt-export-copy/);
});

test("copies one flag to another environment with what it needs", async ({ page, musette }) => {
  const empty = { ...demo, attributes: [], segments: [], layers: [], holdouts: [], flags: [] };
  importFlags(musette, empty, "staging");
  const [cards] = demo.flags.filter(({ key }) => key === "quest-cards");
  const alone = { ...demo, flags: [{ ...cards, prerequisites: [] }], holdouts: [], layers: [] };
  await enterWithFlags(page, musette, "/flags/quest-cards?env=production", alone);
  await page.getByRole("button", { name: "Copy to…" }).click();
  await page.getByRole("button", { name: "Show changes" }).click();
  const dialog = page.getByRole("dialog").filter({ hasText: "Takes effect immediately" });
  await expect(dialog).toContainText("Segment harbour-mentors");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("quest-cards copied to staging")).toBeVisible();

  await page.goto("/console/flags/json?env=staging");
  await page.getByRole("button", { name: "Copy configuration from…" }).click();
  await page.getByRole("button", { name: "Show changes" }).click();
  const all = page.getByRole("dialog").filter({ hasText: "Takes effect immediately" });
  await expect(all).toContainText("Segment long-weeks");
  await all.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("production copied to staging")).toBeVisible();
});

test("plans, shows and cancels a change", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/cash-orders");
  await page.getByRole("button", { name: "Schedule change" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule change" });
  await expect(dialog.getByRole("radio", { name: "Switch it on" })).toBeChecked();
  await dialog.getByLabel("Date and time").fill("2030-01-07T09:00");
  await dialog.getByRole("button", { name: "Schedule change", exact: true }).click();
  await expect(page.getByText("Scheduled. It is listed under Scheduled")).toBeVisible();

  await page.goto("/console/flags/planned");
  await expect(page.getByText("Mon, Jan 7, 2030, 09:00")).toBeVisible();
  await page.getByText("What changes").click();
  await expect(page.getByRole("heading", { name: /cash-orders/ })).toBeVisible();
  await page.getByRole("button", { name: "Cancel scheduled change" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel scheduled change" }).click();
  await expect(page.getByText("cancelled", { exact: true })).toBeVisible();
});

test("marks a fully rolled-out flag as stale", async ({ page, musette }) => {
  const rules = [
    {
      id: "All",
      serve: { rollout: { unit: "userId", steps: [{ percent: 100 }], variation: "on" } },
    },
  ];
  await enterWithFlags(page, musette, "/flags/stale", withChanged("e-bike-checklist", { rules }));
  // The demonstration's holdout keeps its flags from being stale.
  await expect(page.getByText("No stale flags")).toBeVisible();
  const free = { ...withChanged("e-bike-checklist", { rules }), holdouts: [] };
  importFlags(musette, free);
  await page.reload();
  await expect(page.getByRole("row", { name: /e-bike-checklist/ })).toContainText(
    "Rollout complete",
  );
  await page.getByRole("link", { name: "e-bike-checklist" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("e-bike-checklist");
});

test("edits the whole document as text: errors by line, then saved", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/json");
  const text = page.getByRole("textbox", { name: "JSON configuration" });
  const whole = await text.inputValue();
  await text.fill(whole.replace('"attributes": [', '"attributes": [,'));
  await expect(page.getByRole("alert")).toContainText("Invalid JSON at line 5");
  await text.fill(whole.replace('"defaultVariation": "day"', '"defaultVariation": "noon"'));
  await page.getByRole("button", { name: "Validate" }).click();
  await expect(page.getByRole("alert")).toContainText("The flag has no variation of this name.");
  const line = whole.slice(0, whole.indexOf('"defaultVariation": "day"')).split("\n").length;
  await page.getByRole("button", { name: `Line ${line}` }).click();
  await expect(text).toBeFocused();

  await text.fill(whole.replace('"owner": "legal"', '"owner": "law"'));
  await page.reload();
  await expect(page.getByText("What you typed before is still here.")).toBeVisible();
  await page.getByRole("button", { name: "Review and save" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("insertion")).toHaveText(/law/);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved as version 2.")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("flags-production.json");
});

test("lists attributes with the conditions that use them", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/attributes");
  const row = (name: string) => page.getByRole("row", { name });
  await expect(row("town").getByRole("link", { name: "harbour-mentors" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove town" })).toHaveCount(0);
  await page.getByRole("button", { name: "Add attribute" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("shoeSize");
  await dialog.getByLabel("Type").selectOption("number");
  await dialog.getByLabel("Description").fill("For the boots");
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row("shoeSize")).toContainText("For the boots");
  await expect(row("shoeSize")).toContainText("Not used");
  await page.getByRole("button", { name: "Remove shoeSize" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row("shoeSize")).toHaveCount(0);
});

test("creates and uses a segment, and lists its uses", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/segments");
  await page.getByRole("button", { name: "Create segment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill("port-merrow");
  await dialog.getByRole("button", { name: "Create segment" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Comparison" }).selectOption("in");
  await page.getByRole("textbox", { name: "Values" }).fill("Port Merrow");
  await page.getByRole("textbox", { name: "Values" }).press("Enter");
  await page.getByRole("textbox", { name: "Values" }).fill("Dunmarsh,");
  await page.getByRole("textbox", { name: "Values" }).press("Enter");
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved as version 2.")).toBeVisible();
  await page.goto("/console/flags/segments");
  await expect(page.getByRole("row", { name: /port-merrow/ })).toContainText("Not used");
  await page.getByRole("link", { name: "harbour-mentors" }).click();
  await expect(page.getByRole("button", { name: "Delete segment" })).toBeDisabled();
  await page.getByRole("link", { name: "quest-cards" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("quest-cards");
});
