import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { PASSWORD, signInByLink } from "./admin";
import { withExperiments } from "./experiments-data";

test.use({ viewport: { width: 1280, height: 800 } });

async function enter(page: Page, email: string): Promise<void> {
  await page.goto("/console/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

const attention = (page: Page) => page.getByRole("region", { name: "Needs attention" });

for (const role of ["viewer", "support", "legal", "product", "reviewer", "operator"]) {
  test(`sends no request that the role ${role} may not use`, async ({ page, musette }) => {
    test.setTimeout(180_000);
    await withExperiments(musette);
    musette.addColleague("colleague", "colleague@larkspur.example", PASSWORD, [role]);
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await enter(page, "colleague@larkspur.example");
    await expect(page.getByText(/riders accepted/).first()).toBeVisible();
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) {
      await page.goto(path ?? "");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
    }
    expect(refused).toEqual([]);
  });
}

test("lists for legal the drafts, the next versions and the withdrawals", async ({
  page,
  musette,
}) => {
  const [from, title] = [new Date(Date.now() + 5 * 86_400_000).toISOString(), "Scheduled rules"];
  const { prepared } = await import("../setup/prepare");
  musette.publish(`${prepared}/scan.pdf`, "RULES", title, "--mandatory", "--effective-from", from);
  musette.addColleague("lena", "lena@larkspur.example", PASSWORD, ["legal"]);
  await enter(page, "lena@larkspur.example");
  await expect(attention(page).getByRole("link", { name: /^Scheduled rules takes/ })).toBeVisible();
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.getByRole("complementary", { name: "Publishing checklist" }).waitFor();
  await page.goto("/console/");
  await attention(page).getByRole("link", { name: "Draft: Untitled" }).click();
  await expect(page).toHaveURL(/\/terms\/drafts\//);
});

test("puts the search field for support into focus, and lists the people opened last", async ({
  page,
  musette,
}) => {
  musette.addColleague("sam", "sam@larkspur.example", PASSWORD, ["support"]);
  musette.addRider("r-1", "Fenna Corvin");
  await enter(page, "sam@larkspur.example");
  await page.goto("/console/");
  const search = page.getByRole("main").getByRole("searchbox", { name: "Find a person" });
  await expect(search).toBeFocused();
  await page.keyboard.type("fenna");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/people\?q=fenna$/);
  await page.getByRole("link", { name: "Fenna Corvin" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Fenna Corvin" })).toBeVisible();
  await page.goto("/console/");
  const recent = page.getByRole("navigation", { name: "Recently opened people" });
  await expect(recent.getByRole("link", { name: "Fenna Corvin" })).toBeVisible();
});

test("names for product the experiments that need a decision", async ({ page, musette }) => {
  await withExperiments(musette);
  musette.addColleague("paul", "paul@larkspur.example", PASSWORD, ["product"]);
  await enter(page, "paul@larkspur.example");
  await expect(attention(page).getByText("map-test: sample ratio mismatch")).toBeVisible();
  await expect(page.getByRole("link", { name: "Running experiments" })).toBeVisible();
  // The state of the server is no task of theirs.
  await expect(page.getByRole("link", { name: "Server" })).toHaveCount(0);
});

test("shows an admin a missing backup, and a rate with a line", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await expect(attention(page).getByText("No backup yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Server" })).toBeVisible();
  // A flat line has no height, so it is never visible to the test.
  await expect(page.locator("main svg polyline").first()).toBeAttached();
  musette.backup();
  await page.reload();
  await expect(attention(page).getByText("No backup yet")).toHaveCount(0);
});

test("groups the navigation, and hides what the role may not use", async ({ page, musette }) => {
  musette.addColleague("vera", "vera@larkspur.example", PASSWORD, ["viewer"]);
  await enter(page, "vera@larkspur.example");
  const navigation = page.getByRole("navigation", { name: "Main" });
  const links = (group: string) => navigation.getByRole("list", { name: group }).getByRole("link");
  await expect(links("Consent")).toHaveText(["Terms", "Campaigns", "People"]);
  await expect(links("Releases")).toHaveText(["Flags", "Experiments", "Holdouts"]);
  await expect(links("Administration")).toHaveText(["Approvals", "Audit log", "Settings"]);
});

test("requests the configuration of the last environment without waiting for the list", async ({
  page,
  musette,
}) => {
  await withExperiments(musette);
  await signInByLink(page, musette);
  await page.goto("/console/flags");
  await page.locator("tr[data-index]").first().waitFor();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/admin\/v1\/environments\?/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  const configuration = page.waitForRequest(/\/environments\/production\/flags$/);
  await page.goto("/console/flags/tip");
  await configuration;
  answer();
  await expect(page.getByRole("switch").first()).toBeVisible();
});
