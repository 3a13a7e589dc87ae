import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Checks the page with axe. "Legacy mode" only leaves out frames of other origins, which no checked page has. Without
 * it, each check opens an empty page to summarise the results, which takes longer than the check.
 */
export function axeBuilder(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode();
}
