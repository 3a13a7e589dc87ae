import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { publishSystem } from "../setup/systems";

export interface Look {
  readonly locale: string;
  readonly dark: boolean;
}

/** Sets the chosen language and the device's colour scheme. Call it before the first page. */
export async function setLook(page: Page, { locale, dark }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  await page.addInitScript((tag) => localStorage.setItem("musette.language", tag), locale);
}

/**
 * Visits every screen, and calls `see` with each when it has settled. Finds elements by structure
 * instead of text, because it works in every language.
 */
export async function everyScreen(
  page: Page,
  musette: Musette,
  see: (name: string) => Promise<void>,
): Promise<void> {
  const accept = page.locator(".mu-consent-footer button");
  const term = (id: number | "all") => page.locator(`[data-term="${id}"]`);
  const dialog = page.locator("dialog[open]");

  await page.goto("/");
  await page.locator(".door select").waitFor();
  await see("start");
  await page.goto("/terms");
  await page.locator(".calm .mu-button").first().waitFor();
  await see("signed-out");
  await page.goto("/agreements");
  await page.locator("main .mu-button").first().waitFor();
  await see("nothing-agreed");
  await page.goto("/receipt");
  await page.locator("form input").waitFor();
  await see("receipt-form");
  await page.goto("/nowhere");
  await page.locator(".calm").waitFor();
  await see("not-found");

  await page.goto("/apply");
  await term(4).waitFor();
  await see("consent");
  await term(2).locator("input").click();
  await see("consent-partial");
  await term("all").locator(".mu-icon-button").click();
  await dialog.locator("[data-page]").first().waitFor();
  // A phone begins with the text.
  const text = dialog.locator(".mu-viewer-reading");
  const views = [
    ["viewer", "pages", dialog.locator("[data-page='1'] img")],
    ["reading", "text", text],
  ] as const;
  const inOrder = (await text.isVisible()) ? views.toReversed() : views;
  for (const [at, [name, icon, there]] of inOrder.entries()) {
    if (at > 0) await dialog.locator(`footer [data-icon='${icon}']`).click();
    await there.first().waitFor();
    // With its picture: the page, or the figure at the beginning of the text.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>("dialog [data-page='1'] img")].every(
        (image) => image.naturalWidth > 0,
      ),
    );
    await see(name);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // As long as the screen is examined, because the app sends it again by itself.
  await page.route("**/terms/consents", (route) => route.fulfill({ status: 503, body: "" }));
  await term("all").locator("input").click();
  await accept.click();
  await page.locator(".mu-error").waitFor();
  await see("consent-failed");
  await page.unroute("**/terms/consents");
  await accept.click();
  await page.locator(".receipt").waitFor();
  await see("receipt");
  await page.goto("/agreements");
  await page.locator(".agreement").first().waitFor();
  await see("agreements-applicant");
  await page.goto("/");
  await page.locator(".status[data-standing=applied]").waitFor();
  await see("start-applied");

  await page.goto("/sign-in");
  await page.locator(".demo-contacts button").first().waitFor();
  await see("sign-in");
  await page.locator(".demo-contacts button").first().click();
  await page.locator(".sign-in-form [type=submit]").click();
  await page.locator(".demo-code button").waitFor();
  await see("sign-in-code");

  await signIn(page, musette, "demo-rider-1");
  await page.goto("/");
  await page.locator(".status[data-standing=now]").waitFor();
  await see("start-rider");
  await page.goto("/terms");
  await term(4).waitFor();
  await term("all").locator("input").click();
  await accept.click();
  await page.locator(".receipt").waitFor();
  await page.goto("/agreements");
  await page.locator(".agreement [role=switch]").click();
  const withdrawn = page.locator(".agreement", { has: page.locator("[data-outcome=withdrew]") });
  await withdrawn.waitFor();
  await withdrawn.evaluate((card) => scrollBy(0, card.getBoundingClientRect().top - 16));
  await see("agreements");

  await page.goto("/automated-systems?market=DE");
  await page.locator("main p.card").waitFor();
  await see("systems-none");
  await publishSystem(musette);
  // Another address, because the browser keeps the empty list for a minute.
  await page.goto("/automated-systems");
  await page.locator(".system").waitFor();
  await see("systems");

  const { dhhToken } = musette.tokens("demo-rider-1", 900);
  await page.goto("/devices");
  await page.locator(".device").nth(1).waitFor();
  await see("devices");
  // From elsewhere: the page keeps its cookies, and learns of it with its next request.
  const everywhere = `${musette.url}/api/session/v1/logout-all`;
  await fetch(everywhere, { method: "POST", headers: { Authorization: `Bearer ${dhhToken}` } });
  await page.goto("/devices");
  await page.locator(".calm a[href^='/sign-in']").waitFor();
  await see("session-ended");
}
