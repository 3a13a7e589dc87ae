import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import { newStore, serve } from "../setup/musette";
import { prepared } from "../setup/prepare";
import {
  type MailServer,
  type NoticeReceiver,
  withMailServer,
  withNoticeReceiver,
} from "../setup/receivers";
import { test as base, expect } from "../setup/test";
import { PASSWORD } from "./admin";
import { callAs, prepareCampaigns, TEXTS } from "./campaigns-screens";

/** A server that sends e-mails to a mail server of the test, and messages to its receiver. */
const test = base.extend<{ mail: MailServer; receiver: NoticeReceiver; rate: number }>({
  rate: [20, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  mail: async ({}, use) => withMailServer(use),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  receiver: async ({}, use) => withNoticeReceiver(use),
  musette: async ({ mail, receiver, rate }, use) => {
    const email = ["--code-delivery", mail.url, "--code-sender", "Larkspur <t@larkspur.example>"];
    const webhook = ["--notice-webhook", receiver.url, "--notice-rate", String(rate)];
    await serve(newStore(), [...email, ...webhook, "--notice-days", "PAY=15"], use);
  },
});

test.use({ viewport: { width: 1280, height: 800 } });

const LEGAL = "legal@larkspur.example";
const CAMPAIGNS = "/api/admin/v1/campaigns";
const HANDBOOK = join(prepared, "handbook.pdf");
const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

async function signIn(page: Page, email = LEGAL): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Downloads a file by a button and returns its lines. */
async function linesOf(page: Page, button: string): Promise<readonly string[]> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const text = readFileSync(await (await downloading).path(), "utf8");
  return text.replace("\uFEFF", "").trim().split("\r\n");
}

const figure = (page: Page, name: string) =>
  page.locator("dl > div", { has: page.getByText(name, { exact: true }) }).locator("dd");

test("legal notifies the riders who are missing, and sees who got the e-mail", async ({
  page,
  musette,
  mail,
  allow,
}) => {
  test.setTimeout(240_000);
  allow(/status of 422/);
  musette.addColleague("legal-1", LEGAL, PASSWORD, ["legal"]);
  const { id: term } = musette.publish(HANDBOOK, "FREELANCER", "Handbook", "--mandatory");
  musette.addRider("rider-1", "Ottilie Fenwick", "ottilie@larkspur.example");
  musette.addRider("rider-2", "Bram Tolliver", "refused@larkspur.example");
  musette.addRider("rider-3", "Ines Marlow");
  musette.addRider("rider-4", "Odile Brandt", "odile@larkspur.example");
  musette.importConsents([["rider-4", term, true, "en"]]);
  await signIn(page);
  await page.goto(`/console/terms/${term}/coverage`);
  await page.getByRole("link", { name: "Notify missing riders" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New campaign" })).toBeVisible();
  await expect(page.getByLabel("Document", { exact: true })).toHaveValue(String(term));
  expect(await violations(page)).toEqual([]);

  const body = page.getByLabel("Text", { exact: true });
  const preview = page.getByRole("article", { name: "Preview" });
  await expect(preview).toContainText("Please read “Handbook”");
  await body.fill("Dear {{name}}, read {{titel}}.");
  await expect(page.getByText("Use only the placeholders")).toBeVisible();
  await body.fill("Dear {{name}}, please read {{title}} at {{link}}");
  await page.getByLabel("Name of the rider").selectOption("hostile");
  await expect(preview).toContainText("Dear <b>Eve</b>  Bcc: all@example.org {{link}}, please");
  await expect(preview.locator("b")).toHaveCount(0);

  // The server refuses it, and the field shows why.
  await page.getByLabel("Duration").fill("soon");
  await page.getByRole("button", { name: "Save and review" }).click();
  await expect(page.getByText("Enter a whole number.")).toBeVisible();
  await expect(page.getByLabel("Duration")).toBeFocused();
  await page.getByLabel("Duration").fill("0");
  await page.getByRole("button", { name: "Add step" }).click();
  await expect(page.getByLabel("Duration").nth(1)).toHaveValue("7");
  await page.getByLabel("Send at any time of day").check();
  await page.reload();
  await expect(page.getByText("Your unsaved changes were restored.")).toBeVisible();
  await expect(body).toHaveValue("Dear {{name}}, please read {{title}} at {{link}}");
  await page.getByRole("button", { name: "Save and review" }).click();

  await expect(page.getByText("2 riders get a message")).toBeVisible();
  await expect(figure(page, "Already decided, or opened the notice")).toHaveText("1");
  await expect(figure(page, "No address for these channels")).toHaveText("1");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Start campaign" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 riders get a message");
  await dialog.getByRole("button", { name: "Start campaign" }).click();
  await expect(page.getByText("2 of 2 sent")).toBeVisible({ timeout: 30_000 });
  await expect(figure(page, "Bounced")).toHaveText("1");
  await expect(figure(page, "Agreed since the start")).toContainText(
    "1 before, 1 now, of 4 riders",
  );
  expect(mail.mails.map(({ recipient }) => recipient)).toEqual(["ottilie@larkspur.example"]);
  expect(mail.mails[0]?.text).toContain("Dear Ottilie Fenwick, please read Handbook at");

  await page.reload();
  const rows = page.locator("tbody tr[data-index]");
  await page.getByLabel("Status").selectOption("Bounced");
  await expect(page).toHaveURL(/people=bounced/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("The address does not exist (5.1.1)");
  expect(await violations(page)).toEqual([]);
  const bounced = await linesOf(page, "Export as CSV");
  expect(bounced).toHaveLength(2);
  expect(bounced[1]).toMatch(/^rider-2,bounced,,1,email,en,\S+,bounced,5\.1\.1,/);
  await page.getByLabel("Status").selectOption("All");
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: "rider-4" })).toContainText("Decided");
  await expect(rows.filter({ hasText: "rider-3" })).toContainText("No address");

  // The stored form was removed when it was saved.
  await page.goto(`/console/campaigns/new?term=${term}`);
  await expect(body).toHaveValue(/^Please read/);

  // Acceptance marks the step of today.
  await page.goto(`/console/terms/${term}/coverage`);
  await page.getByRole("slider").focus();
  await expect(page.getByText(/Accepted 1 .*Campaign: e-mail$/)).toBeVisible();
});

test.describe("with a slow rate", () => {
  test.use({ rate: 2 });

  test("a running campaign is paused, changed, resumed and cancelled", async ({
    page,
    musette,
    receiver,
    allow,
  }) => {
    test.setTimeout(240_000);
    allow(/status of 422/);
    musette.addColleague("legal-1", LEGAL, PASSWORD, ["legal"]);
    const { id: term } = musette.publish(HANDBOOK, "FREELANCER", "Handbook", "--mandatory");
    for (let i = 10; i < 50; i += 1) musette.addRider(`rider-${i}`, "Ottilie Fenwick");
    const steps = [{ at: { after: "start", by: "P0D" }, channel: "webhook" }];
    const draft = { term_id: term, any_time: true, texts: { en: TEXTS.en }, steps };
    const { id } = await callAs<{ id: string }>(musette, "legal-1", CAMPAIGNS, draft);
    await signIn(page);
    await page.getByRole("navigation", { name: "Main" }).getByText("Campaigns").click();
    await page.getByRole("link", { name: /^Handbook/ }).click();
    const act = async (action: string) => {
      await page.getByRole("button", { name: action }).click();
      await page.getByRole("dialog").getByRole("button", { name: action }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    };
    await act("Start campaign");
    await expect(page.getByText(/messages per second · About .* left/)).toBeVisible({
      timeout: 30_000,
    });
    expect(await violations(page)).toEqual([]);
    await act("Pause campaign");
    await expect(page.locator("main .chip", { hasText: "Paused" }).first()).toBeVisible();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Text", { exact: true }).fill("New text: {{link}}");
    // The step has begun.
    await page.getByLabel("Channel", { exact: true }).selectOption("App");
    await page.getByRole("button", { name: "Save and review" }).click();
    await expect(page.getByText("This step has begun and cannot be changed.")).toBeVisible();
    await page.getByLabel("Channel", { exact: true }).selectOption("Webhook");
    await page.getByRole("button", { name: "Save and review" }).click();
    await expect(page.getByRole("article", { name: "Preview" })).toContainText("New text");
    const before = receiver.ids.length;
    await act("Resume campaign");
    await expect.poll(() => receiver.ids.length).toBeGreaterThan(before);
    expect(receiver.bodies.at(-1)?.notice.text).toContain("New text");
    await act("Cancel campaign");
    await expect(page.locator("main .chip", { hasText: "Cancelled" }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: /campaign$/ })).toHaveCount(0);
    expect(new Set(receiver.ids).size).toBe(receiver.ids.length);
    expect(receiver.ids.length).toBeLessThan(40);
    const { status } = await callAs<{ status: string }>(musette, "legal-1", `${CAMPAIGNS}/${id}`);
    expect(status).toBe("cancelled");
  });
});

test("a notice shows whom it reached, and who is missing", async ({ page, musette }) => {
  musette.addColleague("legal-1", LEGAL, PASSWORD, ["legal"]);
  const { id } = musette.publish(HANDBOOK, "PAY", "Rules of pay", "--kind", "notice");
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addRider("rider-2", "Bram Tolliver");
  const path = "/api/rooster/v3/riders/rider-1/notices";
  const list = await callAs<{ items: { id: number; sha256: string }[] }>(musette, "rider-1", path);
  const opening = { sha256: list.items[0]?.sha256, opened_at: new Date().toISOString() };
  await callAs(musette, "rider-1", `${path}/${id}/openings`, opening);
  await signIn(page);
  await page.goto(`/console/terms/${id}`);
  await page.getByRole("link", { name: "Reach" }).click();
  await expect(figure(page, "Addressed")).toHaveText("2");
  await expect(figure(page, "Opened")).toHaveText("1");
  await expect(figure(page, "Not reached")).toHaveText("1");
  await expect(page.getByText("50% served: 1 of 2 riders")).toBeVisible();
  const rows = page.locator("tbody tr[data-index]");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("rider-2");
  await expect(rows).toContainText("No message yet");
  expect(await violations(page)).toEqual([]);
  const lines = await linesOf(page, "Export as CSV");
  expect(lines).toEqual(["user_id,reason", "rider-2,not_contacted"]);
  await page.getByRole("link", { name: "Notify missing riders" }).click();
  await expect(page.getByRole("article", { name: "Preview" })).toContainText("takes effect on");
});

test("the draft of a notice warns of a short notice period", async ({ page, musette }) => {
  musette.addColleague("legal-1", LEGAL, PASSWORD, ["legal"]);
  const effective = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const draft = { type: "PAY", kind: "notice", mandatory: false, minor: false };
  const { id } = await callAs<{ id: string }>(musette, "legal-1", "/api/admin/v1/term-drafts", {
    ...draft,
    effective_from: effective,
    variants: [{ locale: "en", title: "Rules of pay" }],
  });
  await signIn(page);
  await page.goto(`/console/terms/drafts/${id}`);
  await expect(page.getByRole("radio", { name: /^Notice/ })).toBeChecked();
  await expect(page.getByText("before the notice period of its type")).toBeVisible();
});

base.describe("without channels", () => {
  base.use({ store: "empty" });

  base(
    "explains a channel that is not set up, and who may change campaigns",
    async ({ page, musette, allow }) => {
      allow(/status of 40[39]/);
      musette.addColleague("legal-1", LEGAL, PASSWORD, ["legal"]);
      musette.addColleague("viewer-1", "viewer@larkspur.example", PASSWORD, ["viewer"]);
      const { id: term } = musette.publish(HANDBOOK, "FREELANCER", "Handbook", "--mandatory");
      const steps = [{ at: { after: "start", by: "P0D" }, channel: "sms" }];
      const draft = { term_id: term, texts: { en: TEXTS.en }, steps };
      const { id } = await callAs<{ id: string }>(musette, "legal-1", CAMPAIGNS, draft);
      await signIn(page);
      await page.goto(`/console/campaigns/${id}`);
      await expect(page.getByText("No rider would get a message.")).toBeVisible();
      await page.getByRole("button", { name: "Start campaign" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Start campaign" }).click();
      await expect(dialog).toContainText("This server cannot use one of the channels.");
      await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByRole("button", { name: "Sign out" }).click();

      await signIn(page, "viewer@larkspur.example");
      await page.goto("/console/campaigns");
      await expect(page.getByRole("link", { name: "Create campaign" })).toHaveCount(0);
      await page.getByRole("link", { name: /^Handbook/ }).click();
      await expect(page.getByText("SMS · At the start")).toBeVisible();
      await expect(page.getByRole("button", { name: "Start campaign" })).toHaveCount(0);
      await page.goto(`/console/campaigns/${id}/edit`);
      await expect(page.getByText("Only these roles can make changes here")).toBeVisible();
    },
  );
});

for (const { locale, colorScheme, width } of [
  { locale: "en", colorScheme: "light", width: 1280 },
  { locale: "en", colorScheme: "dark", width: 390 },
  { locale: "ar", colorScheme: "light", width: 1280 },
  { locale: "ar", colorScheme: "dark", width: 390 },
] as const) {
  test(`the pages of campaigns fit ${width} pixels in ${locale}, ${colorScheme}`, async ({
    page,
    musette,
  }) => {
    test.setTimeout(240_000);
    musette.addColleague("ada-admin", LEGAL, PASSWORD, ["legal"]);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await signIn(page);
    await page.evaluate((tag) => localStorage.setItem("musette.language", tag), locale);
    for (const { name, path, ready } of await prepareCampaigns(musette)) {
      await page.goto(`/console/${path}`);
      await ready(page);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, name).toBe(0);
      expect(await violations(page), name).toEqual([]);
      if (process.env.MUSETTE_SEE) {
        const file = `${name.replaceAll(" ", "-")}-${locale}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(process.env.MUSETTE_SEE, file), fullPage: true });
      }
    }
  });
}
