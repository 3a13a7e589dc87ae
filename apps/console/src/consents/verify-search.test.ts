import { expect, it } from "vitest";
import { readVerifySearch } from "./verify-search";

it("keeps a receipt and a user id, even if that is a number", () => {
  expect(readVerifySearch({ receipt: "r_1-a", user: 4711 })).toEqual({
    receipt: "r_1-a",
    user: "4711",
  });
  expect(readVerifySearch({ receipt: "r_1-a", user: " " })).toEqual({ receipt: "r_1-a" });
});

it("drops the user id without a valid receipt", () => {
  expect(readVerifySearch({ receipt: "no receipt", user: "rider-1" })).toEqual({});
});
