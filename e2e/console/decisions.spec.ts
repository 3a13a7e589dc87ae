import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { PASSWORD, signInByLink } from "./admin";

test.use({ viewport: { width: 1280, height: 800 } });

const pdf = join(prepared, "marketing.pdf");
async function decide(musette: Musette, user: string, term: number, accepted: boolean) {
  const consented_at = new Date().toISOString();
  const response = await fetch(`${musette.url}/api/rooster/v3/terms/consents`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${musette.tokens(user, 900).dhhToken}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      user_id: user,
      user_type: "RIDER",
      locale: "en",
      consents: [{ accepted, terms_and_conditions_id: term, consented_at }],
    }),
  });
  expect(response.status).toBe(201);
}

const card = (page: Page, name: string) =>
  page.locator("main dl > div").filter({ hasText: new RegExp(`^${name}`) });

test("shows a withdrawal as withdrawn, and lists only who has not decided as pending", async ({
  page,
  musette,
}) => {
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.addRider("r-2", "Bram Tolliver");
  musette.addRider("r-3", "Cosima Underhill");
  const { id } = musette.publish(pdf, "MARKETING", "Offers by e-mail");
  await decide(musette, "r-1", id, true);
  await decide(musette, "r-2", id, false);
  await decide(musette, "r-1", id, false);
  await signInByLink(page, musette);

  await page.goto(`/console/terms/${id}/coverage`);
  for (const [name, count] of [
    ["Accepted", "0"],
    ["Declined", "1"],
    ["Withdrawn", "1"],
  ] as const) {
    await expect(card(page, name)).toContainText(count);
  }
  // An optional document has no pending riders.
  await expect(page.getByRole("link", { name: /^Pending/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Declined (1)" })).toBeVisible();
  await page.getByRole("link", { name: "Withdrawn (1)" }).click();
  await expect(page.getByRole("table", { name: "Riders who withdrew" })).toContainText(
    "Ottilie Fernwick",
  );
  // The table by language adds up to the cards.
  const language = page.getByRole("row", { name: /^English/ });
  await expect(language.getByRole("cell")).toHaveText(["0", "1", "1", "0%"]);

  await page.goto(`/console/consents?term=${id}`);
  await page.getByLabel("Decision").selectOption("Withdrawn");
  await expect(page).toHaveURL(/decision=withdrawn/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").last()).toContainText("Withdrawn");
  const number = await page
    .getByRole("link", { name: "Receipt", exact: true })
    .getAttribute("href");
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  // One number for one receipt, and the same decision.
  const receipt = new URLSearchParams(number?.split("?")[1]).get("receipt")?.replaceAll('"', "");
  await expect(page.getByText(receipt ?? "no number", { exact: true })).toHaveCount(2);
  await expect(page.locator("main li").filter({ hasText: "Offers by e-mail" })).toContainText(
    "Withdrawn",
  );
});

test("a version that is not in effect has no rate and no pending riders", async ({
  page,
  musette,
}) => {
  musette.addRider("r-1", "Ottilie Fernwick");
  const later = ["--mandatory", "--effective-from", "2100-01-01T00:00:00Z"];
  const { id } = musette.publish(pdf, "FREELANCER", "Next agreement", ...later);
  await signInByLink(page, musette);
  await page.goto(`/console/terms/${id}/coverage`);
  await expect(page.getByText(/^Takes effect on .*2100\. 3 riders will be asked\.$/)).toBeVisible();
  await expect(page.getByText(/% accepted/)).toHaveCount(0);
  await expect(page.getByText("Pending")).toHaveCount(0);
});

for (const role of ["viewer", "product", "support", "legal"]) {
  test(`sends no request that the role ${role} may not send`, async ({ page, musette }) => {
    musette.addRider("r-1", "Ottilie Fernwick");
    musette.publish(pdf, "FREELANCER", "Agreement", "--mandatory");
    musette.addColleague("colleague", "colleague@larkspur.example", PASSWORD, [role]);
    const refused: string[] = [];
    const pending = new Set<Request>();
    page.on("request", (request) => {
      if (request.url().includes("/api/")) pending.add(request);
    });
    page.on("requestfinished", (request) => pending.delete(request));
    page.on("requestfailed", (request) => pending.delete(request));
    const settled = async () => {
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await expect.poll(() => [...pending].map((request) => request.url())).toEqual([]);
    };
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.goto("/console/");
    await page.getByLabel("E-mail").fill("colleague@larkspur.example");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Overview" }).waitFor();
    const mayReadDecisions = role === "support" || role === "legal";
    await expect(navigation.getByRole("link", { name: "Consents" })).toHaveCount(
      mayReadDecisions ? 1 : 0,
    );
    const links = navigation.getByRole("link");
    const pages = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const more = ["/console/consents", "/console/people/r-1", "/console/settings/users"];
    for (const path of [...pages, ...more]) {
      await page.goto(path ?? "");
      await settled();
      const tabs = page.locator("main nav").first().getByRole("link");
      const paths = await tabs.evaluateAll((all) => all.map((tab) => tab.getAttribute("href")));
      for (const tab of paths) {
        await page.goto(tab ?? "");
        await settled();
      }
    }
    expect(refused).toEqual([]);
  });
}
