import type { Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { overflowX } from "./phones";

test.use({ store: "empty" });

const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

const DOCUMENT = new URL("../../demo/documents/equipment-deposit.en.pdf", import.meta.url).pathname;

/** Returns the entries of the event feed about opened notices. */
async function openings(musette: Musette): Promise<readonly unknown[]> {
  musette.addAdmin("notices-admin", "notices@larkspur.example");
  const { dhhToken } = musette.tokens("notices-admin", 900);
  const answer = await fetch(`${musette.url}/api/admin/v1/events?types=notice.opened`, {
    headers: { Authorization: `Bearer ${dhhToken}` },
  });
  return ((await answer.json()) as { items: readonly unknown[] }).items;
}

test("a rider reads a notice, and its opening is recorded also after a time without a network", async ({
  page,
  musette,
  allow,
}) => {
  // This server is not a demo, which the app finds out by a request.
  allow(/404 \(Not Found\)/);
  allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.publish(DOCUMENT, "FREELANCER", "Rules of pay", "--kind", "notice");
  musette.publish(DOCUMENT, "FREELANCER", "Rules of insurance", "--kind", "notice");
  await page.setViewportSize({ width: 360, height: 720 });
  await signIn(page, musette, "rider-1");
  await page.goto("/");
  await expect(page.getByText("New notice: Rules of insurance")).toBeVisible();
  await page.getByRole("link", { name: "Read notices" }).click();
  const cards = page.locator(".notice");
  await expect(cards).toHaveCount(2);
  await expect(page.locator(".unread")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  expect(await openings(musette)).toEqual([]);

  await cards.first().getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Rules of insurance");
  await expect.poll(() => openings(musette)).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(page.locator(".unread")).toHaveCount(1);
  // After a reload the unread one is first. The list does not move while it is read.
  await expect(cards.first()).toContainText("Rules of insurance");
  await page.reload();
  await expect(cards.first()).toContainText("Rules of pay");

  // Both have the same document, which the browser has: it is drawn without a network.
  await page.context().setOffline(true);
  await cards.first().getByRole("button").click();
  await expect(page.locator(".unread")).toHaveCount(0);
  await page.keyboard.press("Escape");
  expect(await openings(musette)).toHaveLength(1);
  await page.context().setOffline(false);
  await expect.poll(() => openings(musette)).toHaveLength(2);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Notices", exact: true })).toBeVisible();
  await expect(page.getByText("New notice")).toHaveCount(0);
});

for (const { locale, dark } of [
  { locale: "ar", dark: true },
  { locale: "en", dark: false },
]) {
  test(`the page of notices fits a phone of 320 pixels in ${locale}`, async ({
    page,
    musette,
    allow,
  }) => {
    allow(/404 \(Not Found\)/);
    musette.addRider("rider-1", "Ottilie Fenwick");
    const title = "Rules of pay for deliveries at night and on public holidays";
    musette.publish(DOCUMENT, "FREELANCER", title, "--kind", "notice", "--label", "1.1");
    await page.setViewportSize({ width: 320, height: 720 });
    await setLook(page, { locale, dark });
    await signIn(page, musette, "rider-1");
    for (const path of ["/", "/notices"]) {
      await page.goto(path);
      await page.locator(".unread").waitFor();
      expect(await overflowX(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      if (process.env.SHOTS) {
        const name = path === "/" ? "start" : "notices";
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${locale}.png` });
      }
    }
  });
}
