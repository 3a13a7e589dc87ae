import { expect, type Page } from "@playwright/test";

/** Waits until every submission stored on this device has an answer, and is removed. */
export async function waitUntilNothingPending(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve, reject) => {
            const open = indexedDB.open("musette-terms");
            open.onerror = () => reject(open.error);
            open.onsuccess = () => {
              const count = open.result.transaction("pending").objectStore("pending").count();
              count.onerror = () => reject(count.error);
              count.onsuccess = () => {
                open.result.close();
                resolve(count.result);
              };
            };
          }),
      ),
    )
    .toBe(0);
}
