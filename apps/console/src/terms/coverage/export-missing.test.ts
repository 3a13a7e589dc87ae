import { expect, it } from "vitest";
import { missingAsCsv } from "./export-missing";

const pages = [
  { items: [{ user_id: "r-1", name: "Ottilie Fernwick" }], next_cursor: "a" },
  { items: [], next_cursor: "b" },
  { items: [{ user_id: "=r-2" }] },
];
const fetch = async (cursor: string) => pages[["", "a", "b"].indexOf(cursor)] ?? { items: [] };

it("writes every page, including an empty one in between", async () => {
  const progress: number[] = [];
  const blob = await missingAsCsv(fetch, ["id", "name"], {
    signal: new AbortController().signal,
    onProgress: (written) => progress.push(written),
  });
  expect(await blob.text()).toBe("id,name\r\nr-1,Ottilie Fernwick\r\n'=r-2,\r\n");
  expect(progress).toEqual([1, 1, 2]);
});

it("stops when it is cancelled", async () => {
  const controller = new AbortController();
  const writing = missingAsCsv(fetch, [], {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(writing).rejects.toThrow();
});
