import { expect, it } from "vitest";
import { readTermsSearch } from "./terms-search";

it("reads an address back, whatever somebody typed into it", () => {
  const whole = { status: "draft", type: "FREELANCER", sort: "title" } as const;
  expect(readTermsSearch(whole)).toEqual(whole);
  expect(readTermsSearch({ status: "gone", type: "free lancer", sort: "order" })).toEqual({});
  expect(readTermsSearch({ type: 7, status: ["draft"] })).toEqual({});
});
