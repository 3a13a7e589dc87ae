import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { pagesOfWords } from "../setup/pdf";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { height, overflowX, PHONES, takePicture } from "./phones";

const documents = new URL("../../demo/documents/", import.meta.url).pathname;

async function agreeToAll(page: Page, musette: Musette): Promise<void> {
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await page.locator(".receipt").waitFor();
}

function publishNewAgreement(musette: Musette): number {
  const file = (locale: string) => join(documents, `freelancer-agreement-2-0.${locale}.pdf`);
  const { id } = musette.publish(
    file("en"),
    "FREELANCER",
    "Freelancer agreement",
    ...["--mandatory", "--replaces", "1", "--label", "2.0"],
    ...["--variant", `ar=${file("ar")}:اتفاقية العمل الحر`],
    ...["--summary", "Waiting at a shop is paid from the sixth minute."],
    ...["--summary-in", "ar=يُدفع أجر الانتظار في المتجر من الدقيقة السادسة."],
  );
  return id;
}

for (const { locale, width } of PHONES) {
  test(`lists a changed text first, with its changes, ${locale}, ${width} px`, async ({
    page,
    musette,
  }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height });
    await setLook(page, { locale, dark: false });
    await agreeToAll(page, musette);
    // Last on the list, so it must move.
    const id = publishNewAgreement(musette);
    const handbook = join(musette.folder, "handbook.pdf");
    writeFileSync(handbook, pagesOfWords("Rider handbook, second edition", 30));
    const second = musette.publish(
      handbook,
      "FREELANCER",
      "Handbook",
      ...["--mandatory", "--replaces", "2", "--order", "9"],
    );

    await page.goto("/terms");
    const rows = page.locator(".mu-term");
    await expect(rows.nth(1)).toHaveAttribute("data-term", String(id));
    await expect(rows.nth(2)).toHaveAttribute("data-term", String(second.id));
    const changed = page.locator(`[data-term="${id}"]`);
    await expect(changed.locator("input").first()).not.toBeChecked();
    await takePicture(page, "changes-closed");

    await changed.locator("summary").click();
    await expect(changed.locator("ins").nth(1)).toBeVisible();
    await expect(changed.locator("del").nth(1)).toBeVisible();
    // Named by the label in the document. The first version had no label, so its counter is used.
    await expect(changed.locator("details > p")).toContainText("2.0");
    // Opening the changes does not tick the term.
    await expect(changed.locator("input").first()).not.toBeChecked();
    const marks = await changed.locator(".mu-changes-text").evaluate((text) =>
      [...text.querySelectorAll("ins, del")].map((mark) => ({
        line: getComputedStyle(mark).textDecorationLine,
        sign: getComputedStyle(mark, "::before").content,
        spoken: mark.querySelector(".mu-hidden")?.textContent,
        tag: mark.tagName,
      })),
    );
    for (const { tag, line, sign, spoken } of marks) {
      const added = tag === "INS";
      expect(line).toBe(added ? "underline" : "line-through");
      expect(sign).toContain(added ? "+" : "−");
      expect(spoken?.trim().length).toBeGreaterThan(3);
    }
    // No mark is left alone at the end of a line.
    const apart = await changed.locator(".mu-changes :is(ins, del)").evaluateAll(
      (marks) =>
        marks.filter((mark) => {
          const words = [...mark.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE);
          const range = document.createRange();
          range.setStart(words as Text, 0);
          range.setEnd(words as Text, 2);
          const [sign] = mark.getClientRects();
          const first = [...range.getClientRects()].at(-1);
          return Math.abs((first?.top ?? 0) - (sign?.top ?? 0)) > 8;
        }).length,
    );
    expect(apart).toBe(0);
    const dir = locale === "ar" ? "rtl" : "ltr";
    await expect(changed.locator(".mu-changes-text > p[dir]").first()).toHaveAttribute("dir", dir);
    await takePicture(page, "changes-open");
    const { violations } = await axeBuilder(page).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await overflowX(page)).toBe(0);
    await changed.locator("input").first().click();
    await page.locator(`[data-term="${second.id}"] input`).first().click();
    await page.locator(".mu-consent-footer button").click();
    const decided = page.locator(".decided li").first();
    await expect(decided).toContainText(locale === "en" ? "Version 2.0" : "2.0");
    await page.goto("/agreements");
    await expect(page.locator(".agreement .term-facts").first()).toContainText("2.0");
  });
}

test("compares with the version that this person agreed to, not with the one before", async ({
  page,
  musette,
}) => {
  await agreeToAll(page, musette);
  const publish = (heading: string, replaces: number, summary: string) => {
    const file = join(musette.folder, `${replaces}.pdf`);
    writeFileSync(file, pagesOfWords(heading, 2));
    const args = ["--replaces", String(replaces), "--summary", summary];
    return musette.publish(file, "MARKETING", "Marketing messages", ...args).id;
  };
  const second = publish("Marketing messages by post", 4, "Also by post.");
  const third = publish("Marketing messages by post and phone", second, "Also by phone.");
  await page.goto("/terms");
  const row = page.locator(`[data-term="${third}"]`);
  await expect(row).toContainText("Also by phone.");
  await expect(row).toContainText("Also by post.");
  await row.locator("summary").click();
  await expect(row.locator(".mu-changes-text ins").first()).toContainText("by post and phone");
  await expect(row.locator(".mu-changes-text del")).toHaveCount(0);
});

test("says so if the texts cannot be compared", async ({ page, musette, allow }) => {
  allow(/ERR_FAILED/);
  await agreeToAll(page, musette);
  // A scan has no text, and the new text was not published in Arabic.
  const args = ["--mandatory", "--replaces", "3"];
  const { id } = musette.publish(
    join(documents, "rider-handbook.en.pdf"),
    "FREELANCER",
    "Equipment",
    ...args,
  );
  await page.route("**/reading.json", (route) => route.abort(), { times: 1 });
  await page.goto("/terms");
  const row = page.locator(`[data-term="${id}"]`);
  await row.locator("summary").click();
  await expect(row.getByText("The texts could not be loaded.")).toBeVisible();
  await row.getByRole("button", { name: "Try again" }).click();
  await expect(row.getByText("One of the two is a scan without text")).toBeVisible();
  await expect(row.getByRole("link", { name: "Earlier version (PDF)" })).toBeVisible();
});
