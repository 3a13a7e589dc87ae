import { describe, expect, it } from "vitest";
import { nextAddress, signInHref } from "./sign-in-address";

const origin = "https://musette.test";

describe("after signing in", () => {
  it.each([
    ["/terms", "/terms"],
    ["/agreements?a=1&b=2#c", "/agreements?a=1&b=2#c"],
    ["/receipt#019a-7", "/receipt#019a-7"],
    ["/a/../terms", "/terms"],
  ])("the person returns to %s", (next, path) => {
    const { search, hash } = new URL(signInHref(next), origin);
    expect(nextAddress(search, hash, origin)).toBe(path);
  });

  it("a receipt's number from the fragment is never in a query", () => {
    const { pathname, search, hash } = new URL(signInHref("/receipt#019a-7"), origin);
    expect(`${pathname}${search}`).not.toContain("019a-7");
    expect(hash).toBe("#019a-7");
  });

  it.each([
    "https://stranger.test/",
    "//stranger.test",
    "/\\stranger.test",
    "\\\\stranger.test",
    "/\t/stranger.test",
    "/.//stranger.test",
    "/..//stranger.test",
    "javascript:alert(1)",
    "terms",
    "/sign-in?next=/terms",
    "//",
    "",
  ])("%j leads to the start", (next) => {
    expect(nextAddress(`?next=${encodeURIComponent(next)}`, "", origin)).toBe("/");
  });

  it("the person is at the start if there is no next address", () => {
    expect(nextAddress("", "", origin)).toBe("/");
    expect(signInHref("/")).toBe("/sign-in");
  });
});
