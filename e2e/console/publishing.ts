import type { Locator, Page } from "@playwright/test";

/** Sets a draft to take effect when it is published, without the grace period of a new draft. */
export async function takeEffectNow(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "As soon as it is published" }).check();
  const blocking = page.getByRole("radio", { name: "May not work from then on" });
  if (await blocking.isVisible()) await blocking.check();
}

/** Types the number of riders whom the publication blocks immediately. */
export async function confirmBlocked(dialog: Locator, riders: number): Promise<void> {
  await dialog.getByLabel(/riders who are blocked now$/).fill(String(riders));
}
