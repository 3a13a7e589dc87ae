import { expect, test } from "../setup/test";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("renders only the visible rows of 100,000, from the first to the last", async ({ page }) => {
  await page.goto("/stage/table.html");
  const rows = page.locator("tr[data-index]");
  await expect(page.getByRole("row", { name: "rider-1 0" })).toBeVisible();
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "100001");
  expect(await rows.count()).toBeLessThan(60);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const last = page.locator('tr[aria-rowindex="100001"]');
  await expect(last).toBeInViewport();
  await expect(last).toContainText("rider-100000");
  expect(await rows.count()).toBeLessThan(60);

  // In the middle, where a space replaces the rows before with the height that they would have.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(page.getByText("rider-50000", { exact: true })).toBeInViewport();
  expect(await rows.count()).toBeLessThan(60);
});

test("the arrow keys move through rows that were not rendered, and Enter opens one", async ({
  page,
}) => {
  await page.goto("/stage/table.html");
  const row = (number: number) => page.locator(`tr[aria-rowindex="${number + 1}"]`);
  await row(1).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(row(3)).toBeFocused();
  await page.keyboard.press("End");
  await expect(row(100_000)).toBeFocused();
  await expect(row(100_000)).toBeInViewport();
  await page.keyboard.press("PageUp");
  await expect(row(99_990)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#rider-99990$/);
  await page.keyboard.press("Home");
  await expect(row(1)).toBeFocused();
  // The Tab key stops at one row instead of a hundred thousand.
  await expect(page.locator("tr[tabindex='0']")).toHaveCount(1);
});

test("a header sorts ascending, descending, and not at all", async ({ page }) => {
  await page.goto("/stage/table.html?rows=2000");
  const first = page.locator('tr[aria-rowindex="2"]');
  const header = page.getByRole("columnheader", { name: "Hours" });
  await header.getByRole("button").click();
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  // The 27th row is the first whose hours, a multiple of 7 modulo 61, are 60.
  await expect(first).toHaveText("rider-2760");
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "none");
  await expect(first).toContainText("rider-1");
});

test("shows placeholder rows while it loads", async ({ page }) => {
  await page.goto("/stage/table.html?rows=0");
  await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("status")).toHaveText("Loading…");
  await expect(page.locator("tbody tr")).toHaveCount(6);
});
