import { expect, it } from "vitest";
import { readHistorySearch } from "./history-search";

it.each([
  [
    { version: 12, against: 3 },
    { version: 12, against: 3 },
  ],
  [{ version: "12" }, { version: 12 }],
  [
    { version: 1, against: 0 },
    { version: 1, against: 0 },
  ],
  [{ against: 3 }, {}],
  [{ against: 3, flag: "night-rides", by: " " }, { flag: "night-rides" }],
  [{ version: -1, against: 2 }, {}],
  [{ version: "x", against: 1.5 }, {}],
])("reads %j as %j", (search, read) => {
  expect(readHistorySearch(search)).toEqual(read);
});
