import { expect, it } from "vitest";
import { readTermsSearch } from "./terms-search";

it("reads any address, and drops invalid parameters", () => {
  const whole = { status: "draft", type: "FREELANCER", sort: "title" } as const;
  expect(readTermsSearch(whole)).toEqual(whole);
  expect(readTermsSearch({ status: "gone", type: "free lancer", sort: "order" })).toEqual({});
  expect(readTermsSearch({ type: 7, status: ["draft"] })).toEqual({});
});
