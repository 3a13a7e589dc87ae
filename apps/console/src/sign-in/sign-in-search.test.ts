import { expect, it } from "vitest";
import { readSignInSearch } from "./sign-in-search";

it("keeps where the person was going", () => {
  expect(readSignInSearch({ next: "/audit?user=ada" })).toEqual({ next: "/audit?user=ada" });
});

it.each(["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "audit", 7])(
  "ignores an address outside the console: %j",
  (next) => expect(readSignInSearch({ next })).toEqual({}),
);

it("keeps the reason for a redirect", () => {
  expect(readSignInSearch({ trouble: "oidc_denied", more: 1 })).toEqual({ trouble: "oidc_denied" });
});

it("keeps what the person came to set up", () => {
  expect(readSignInSearch({ set_up: "authenticator" })).toEqual({ set_up: "authenticator" });
  expect(readSignInSearch({ set_up: "something" })).toEqual({});
});
