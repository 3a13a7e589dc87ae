import { expect, it } from "vitest";
import { type CsvPage, csvOfPages } from "./csv-pages";

const PAGES: Readonly<Record<string, CsvPage>> = {
  "": { lines: [["r-1", "bounced"]], next: "a" },
  a: { lines: [], next: "b" },
  b: { lines: [["=r-2", "no, address"]] },
};
const fetch = async (after: string | undefined) => PAGES[after ?? ""] ?? { lines: [] };

it("writes every page, including an empty one in between", async () => {
  const rows: number[] = [];
  const blob = await csvOfPages(fetch, ["user_id", "reason"], {
    signal: new AbortController().signal,
    onProgress: (progress) => rows.push(progress.rows),
  });
  expect(await blob.text()).toBe('user_id,reason\r\nr-1,bounced\r\n\'=r-2,"no, address"\r\n');
  expect(rows).toEqual([1, 1, 2]);
});

it("stops when it is cancelled", async () => {
  const controller = new AbortController();
  const writing = csvOfPages(fetch, [], {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(writing).rejects.toThrow();
});
