import { expect, it } from "vitest";
import { address, count, oneOf, text } from "./address";

const read = address({ q: text(), page: count, state: oneOf("on", "off"), all: oneOf(true) });

it("keeps valid parameters, and drops all others", () => {
  expect(read({ q: " 4711 ", page: "3", state: "on", all: true, more: 1 })).toEqual({
    q: "4711",
    page: 3,
    state: "on",
    all: true,
  });
  expect(read({ q: " ", page: -1, state: "gone", all: "true" })).toEqual({});
  expect(read({ q: {}, page: 1.5, state: ["on"] })).toEqual({});
});

it("drops everything without the required parameter", () => {
  const compared = address({ version: count, against: count }, "version");
  expect(compared({ version: 0, against: 3 })).toEqual({ version: 0, against: 3 });
  expect(compared({ against: 3 })).toEqual({});
});
