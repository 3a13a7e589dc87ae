import { overflowX, takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { setLook } from "./every-screen";
import { cutOffTexts } from "./pseudo";

/** One language for each script, at the widths of small phones. */
const SCRIPTS = [
  { locale: "de", width: 320, dir: "ltr", digits: /1/, english: "Auf Englisch" },
  { locale: "ar", width: 320, dir: "rtl", digits: /واحد/, english: undefined },
  { locale: "th", width: 360, dir: "ltr", digits: /1/, english: "เป็นภาษาอังกฤษ" },
  { locale: "bn", width: 320, dir: "ltr", digits: /১/, english: "ইংরেজি ভাষায়" },
  { locale: "ur", width: 360, dir: "rtl", digits: /1/, english: "انگریزی میں" },
] as const;

for (const { locale, width, dir, digits, english } of SCRIPTS) {
  test(`${locale} at ${width} px: reads, agrees, withdraws, and nothing overflows`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await setLook(page, { locale, dark: false });
    const wide: string[] = [];
    const rest = async (name: string) => {
      const by = await overflowX(page);
      if (by > 0) wide.push(`${name} by ${by}`);
      for (const words of await cutOffTexts(page)) wide.push(`${name}: ${words}`);
      await takePicture(page, name);
    };

    await page.goto("/");
    await page.locator(".door select").waitFor();
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    await expect(page.locator("html")).toHaveAttribute("dir", dir);
    await rest("start");

    await page.goto("/apply");
    const term = (id: number | "all") => page.locator(`[data-term="${id}"]`);
    for (const id of [1, 2]) await term(id).locator("input").click();
    await expect(page.locator(".mu-consent-footer p")).toHaveText(digits);
    const mark = term(1).locator(".mu-tag");
    if (english) await expect(mark).toHaveText(english);
    else await expect(mark).toHaveCount(0);
    await rest("consent");

    await term(1).locator(".mu-icon-button").click();
    const dialog = page.locator("dialog[open]");
    await dialog.locator("[data-page='1'] img").waitFor();
    if (english) await expect(dialog.locator(".mu-viewer-place")).toContainText(english);
    await rest("viewer");
    await page.keyboard.press("Escape");

    await term("all").locator("input").click();
    await page.locator(".mu-consent-footer button").click();
    await page.locator(".receipt").waitFor();
    await rest("receipt");
    await page.goto("/agreements");
    await page.locator(".agreement [role=switch]").click();
    await page.locator("[data-outcome=withdrew]").first().waitFor();
    await rest("agreements");
    expect(wide).toEqual([]);
  });
}

test("a language is listed by its own name, and stays chosen", async ({ page }) => {
  await page.goto("/");
  const languages = page.locator(".language-switch");
  await expect(languages.locator("option")).toHaveText([
    "English",
    "Deutsch",
    "Español",
    "Français",
    "Italiano",
    "Português (Brasil)",
    "Polski",
    "Türkçe",
    "العربية",
    "ไทย",
    "বাংলা",
    "اردو",
  ]);
  await expect(languages.locator("svg")).toBeVisible();
  await languages.locator("select").selectOption({ label: "اردو" });
  await expect(page.locator("html")).toHaveAttribute("lang", "ur");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "ur");
});

test("only the chosen language is loaded", async ({ page }) => {
  const files: string[] = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  await setLook(page, { locale: "it", dark: false });
  await page.goto("/apply");
  await page.locator("[data-term='1']").waitFor();
  const loaded = () =>
    files
      .filter((file) => /\/(it|de|es|fr|pt|pl|tr|ar|th|bn|ur)-[^/]*\.js$/.test(file))
      .map((file) => file.slice(file.lastIndexOf("/") + 1, -3).split("-")[0]);
  await expect.poll(loaded).toEqual(["it", "it"]);
});
