import { expect, test } from "../setup/test";
import { demo, enterWithFlags, importFlags } from "./flags-data";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

test("keeps the filters of the list in the address", async ({ page, musette }) => {
  await enterWithFlags(page, musette);
  await expect(page).toHaveURL(/\?env=production$/);
  await expect(page.getByText("9 flags")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search by key" }).fill("quest");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("combobox", { name: "Owner" }).selectOption("quests");
  await expect(page).toHaveURL(/q=quest&owner=quests|owner=quests.*q=quest/);
  await page.reload();
  await expect(page.getByText("1 of 9 flags")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search by key" }).fill("nothing like it");
  await expect(page.getByText("No flags found")).toBeVisible();

  // A link to an unknown environment shows this one, and says so.
  await page.goto("/console/flags?env=elsewhere");
  await expect(page.getByText("The environment elsewhere does not exist")).toHaveCount(1);
  await expect(page).toHaveURL(/env=production/);

  await page.goto("/console/flags");
  await page.getByRole("button", { name: "On or off" }).click();
  await expect(page).toHaveURL(/sort=on/);
  await expect(page.getByRole("row").nth(1)).toContainText("cash-orders");
});

test("one key switches a flag off, and one click switches it on again", async ({
  page,
  musette,
}) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  const lever = page.getByRole("switch", { name: "receipt-export" });
  await expect(lever).toBeChecked();
  await page.keyboard.press("k");
  const dialog = page.getByRole("dialog", { name: "Turn off receipt-export?" });
  await expect(dialog).toContainText("All people are served “off” now.");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(lever).not.toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("receipt-export is on.")).toBeVisible();
  await expect(lever).toBeChecked();
});

test("shows a one-line reason in the flag's history, and in the audit log", async ({
  page,
  musette,
}) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  await page.getByRole("switch", { name: "receipt-export" }).click();
  await page.getByLabel("Reason (optional)").fill("incident 4711");
  await page.keyboard.press("Enter");
  await expect(page.getByText("receipt-export is off.")).toBeVisible();
  await page.getByRole("link", { name: "History" }).last().click();
  await expect(page).toHaveURL(/flag=receipt-export/);
  const versions = page.getByRole("main").getByRole("list").last().getByRole("link");
  await expect(versions).toHaveText([
    /^2receipt-export switched off by ada-admin: incident 4711/,
    /^1.* by a command/,
  ]);
  await page.getByRole("combobox", { name: "Saved by" }).selectOption("ada-admin");
  await expect(versions).toHaveCount(1);
  await page.getByRole("combobox", { name: "Flag" }).selectOption("cash-orders");
  await expect(page.getByText("No versions found")).toBeVisible();
  await page.goto("/console/audit?event=flags_saved");
  await expect(page.getByText("production version 2: incident 4711")).toBeVisible();
});

test("switches off and on with the keyboard only", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/receipt-export");
  const lever = page.getByRole("switch", { name: "receipt-export" });
  await expect(lever).toBeChecked();
  await page.keyboard.press("k");
  await expect(page.getByRole("button", { name: "Turn off" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(lever).not.toBeChecked();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(lever).toBeChecked();
});

test("in the list, the key switches the focused row", async ({ page, musette }) => {
  await enterWithFlags(page, musette);
  await page.getByRole("row", { name: /break-reminder/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("switch", { name: "cash-orders" })).toBeChecked();
});

test("shows what a change does, to whom and why, before it is saved", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/support-chat");
  const preview = page.getByRole("complementary", { name: "Test this flag" });
  await preview.getByLabel("userId").fill("demo-rider-7");
  await preview.getByLabel("zoneIds").fill("merrow-quay");
  await expect(preview.getByRole("status")).toContainText("Served variation night");
  await expect(preview.getByRole("status")).toContainText(
    "Because of Rule 1 “Zones that are served at night”: zoneIds has any of “merrow-quay” or “velden-station”.",
  );

  await page.getByRole("button", { name: /Whoever started this autumn/ }).click();
  await page.getByRole("spinbutton", { name: "Percent" }).fill("100");
  await preview.getByLabel("zoneIds").fill("");
  await preview.getByLabel("ridingSince").fill("2026-10-01T00:00:00Z");
  await expect(preview.getByRole("status")).toContainText("Because of Rule 2");
  await preview.getByText("Evaluation steps").click();
  await expect(preview.getByRole("list")).toContainText("In the first 100%");

  await page.getByRole("button", { name: "Review and save" }).click();
  const dialog = page.getByRole("dialog", { name: "Change support-chat" });
  await expect(dialog).toContainText(
    "Rule 2 “Whoever started this autumn is answered at night too”: rollout",
  );
  await expect(dialog.getByRole("deletion")).toContainText("40%");
  await expect(dialog.getByRole("insertion")).toContainText("100%");
  await dialog.getByLabel("Comment").fill("everybody new");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved as version 2.")).toBeVisible();

  await page.goto("/console/flags/history?version=2");
  await expect(page.getByRole("link", { name: /everybody new/ })).toContainText("ada-admin");
  await expect(page.getByRole("insertion")).toContainText("100%");
  await page.getByRole("link", { name: /^1/ }).click();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("link", { name: /Restored version 1/ })).toContainText("current");
});

test("moves rules with the keyboard, and by dragging", async ({ page, musette }) => {
  await enterWithFlags(page, musette, "/flags/support-chat");
  const rules = page.getByRole("button", { name: /^\d ?(Zones|Whoever)/ });
  await expect(rules).toHaveText([/^1Zones/, /^2Whoever/]);
  await page.getByRole("button", { name: "Rule 1 of 2" }).press("ArrowDown");
  await expect(rules).toHaveText([/^1Whoever/, /^2Zones/]);
  await expect(page.getByRole("button", { name: "Rule 2 of 2" })).toBeFocused();
  await page
    .getByRole("button", { name: "Rule 2 of 2" })
    .dragTo(page.getByRole("button", { name: "Rule 1 of 2" }));
  await expect(rules).toHaveText([/^1Zones/, /^2Whoever/]);
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
});

test("lists ten thousand flags, and renders only a few rows", async ({ page, musette }) => {
  const [flag] = demo.flags;
  const flags = Array.from({ length: 10_000 }, (_, at) => ({
    ...flag,
    key: `flag-${String(at).padStart(5, "0")}`,
    rules: [],
  }));
  const many = { ...demo, layers: [], holdouts: [], flags };
  await enterWithFlags(page, musette, "/flags", many);
  // A test build takes its time for five megabytes.
  await expect(page.getByText("10,000 flags")).toBeVisible({ timeout: 20_000 });
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("row", { name: "flag-00000" }).focus();
  await page.keyboard.press("End");
  await expect(page.getByRole("row", { name: "flag-09999" })).toBeFocused();
  expect(await page.getByRole("row").count()).toBeLessThan(80);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("the switch is large, and visible in the list", async ({ page, musette }) => {
    await enterWithFlags(page, musette);
    const lever = page.getByRole("switch", { name: "receipt-export" });
    const box = await lever.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await lever.tap();
    await page.getByRole("button", { name: "Turn off" }).tap();
    await expect(lever).not.toBeChecked();
  });

  test("the preview is in a sheet at the bottom", async ({ page, musette }) => {
    await enterWithFlags(page, musette, "/flags/cash-orders");
    await page.getByText("Served variation").tap();
    await expect(page.getByLabel("userId")).toBeVisible();
  });
});

test("another environment has separate flags", async ({ page, musette }) => {
  importFlags(musette, { ...demo, flags: [], holdouts: [], layers: [] }, "staging");
  await enterWithFlags(page, musette);
  await page.getByLabel("Environment").selectOption("staging");
  await expect(page).toHaveURL(/env=staging/);
  await expect(page.getByText("No flags in this environment")).toBeVisible();
  await page.getByRole("link", { name: "Segments" }).click();
  await expect(page).toHaveURL(/segments\?env=staging/);
  await page.goto("/console/flags");
  await expect(page.getByLabel("Environment")).toHaveValue("staging");
});
