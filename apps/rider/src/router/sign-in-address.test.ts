import { describe, expect, it } from "vitest";
import { nextOf, signInHref } from "./sign-in-address";

const origin = "https://musette.test";

describe("after signing in", () => {
  it.each([
    ["/terms", "/terms"],
    ["/agreements?a=1&b=2#c", "/agreements?a=1&b=2#c"],
    ["/receipt#019a-7", "/receipt#019a-7"],
    ["/a/../terms", "/terms"],
  ])("one is back at %s", (next, path) => {
    const { search, hash } = new URL(signInHref(next), origin);
    expect(nextOf(search, hash, origin)).toBe(path);
  });

  it("what stood in a fragment is in no query: a receipt's number goes to no server", () => {
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
    expect(nextOf(`?next=${encodeURIComponent(next)}`, "", origin)).toBe("/");
  });

  it("one is at the start when nothing was asked for", () => {
    expect(nextOf("", "", origin)).toBe("/");
    expect(signInHref("/")).toBe("/sign-in");
  });
});
