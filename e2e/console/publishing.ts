import type { Locator, Page } from "@playwright/test";

/** Sets a draft to take effect when it is published, without the grace period of a new draft. */
export async function takeEffectNow(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "When published" }).check();
  const blocking = page.getByRole("radio", {
    name: "None: riders who have not accepted are blocked on the effective date",
  });
  if (await blocking.isVisible()) await blocking.check();
}

/** Types the number of riders that the publication blocks immediately. */
export async function confirmBlocked(dialog: Locator, riders: number): Promise<void> {
  await dialog.getByLabel(/riders who are blocked now$/).fill(String(riders));
}
