import { expect, it } from "vitest";
import { readVerifySearch } from "./verify-search";

it("keeps a receipt and whose it is said to be, also where that is a number", () => {
  expect(readVerifySearch({ receipt: "r_1-a", user: 4711 })).toEqual({
    receipt: "r_1-a",
    user: "4711",
  });
  expect(readVerifySearch({ receipt: "r_1-a", user: " " })).toEqual({ receipt: "r_1-a" });
});

it("has nobody to compare without a receipt of ours", () => {
  expect(readVerifySearch({ receipt: "no receipt", user: "rider-1" })).toEqual({});
});
