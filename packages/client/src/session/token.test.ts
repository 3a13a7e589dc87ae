import { describe, expect, it } from "vitest";
import vectors from "../../../../testdata/token-expiry.json" with { type: "json" };
import { token } from "./testing/service";
import { belongsTo, decode, isExpired, supersedes } from "./token";

describe("isExpired", () => {
  it.each(vectors.cases)("$name", ({ exp, now_ms, expired }) => {
    expect(isExpired(decode(token({ exp })) ?? {}, now_ms)).toBe(expired);
  });

  it("returns false for a token without exp", () => {
    expect(isExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

describe("decode", () => {
  it("reads base64url and UTF-8", () => {
    const claims = { sub: "Zoë ✓ ﷺ ÿÿÿ>>>???" };
    const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(text).toMatch(/[-_]/);
    expect(decode(`e30.${text}.x`)).toEqual(claims);
  });

  it.each([
    undefined,
    "",
    "x",
    "a.b.c",
    "e30.!!!.x",
    `e30.${btoa("null")}.x`,
    `e30.${btoa('{"exp":"1795253400"}')}.x`,
    `e30.${btoa('{"exp":null}')}.x`,
  ])("returns undefined for %j, which is not a token", (text) => {
    expect(decode(text)).toBeUndefined();
  });
});

const at = (iat: number, more = {}) => token({ sub: "r1", iat, exp: iat + 900, ...more });

describe("supersedes", () => {
  it.each([
    ["issued later", at(20), at(10), true],
    ["issued earlier", at(10), at(20), false],
    ["the same", at(10), at(10), false],
    ["issued in the same second, ending later", at(10, { exp: 911 }), at(10), true],
    ["of another user", at(20, { sub: "r2" }), at(10), false],
    ["of another session", at(20, { sid: "b" }), at(10, { sid: "a" }), false],
    ["no token", "x", at(10), false],
  ])("%s", (_, candidate, than, expected) => {
    expect(supersedes(candidate, than)).toBe(expected);
  });
});

describe("belongsTo", () => {
  it.each([
    ["the same token", "opaque", "opaque", true],
    ["a later token of the session", at(20, { sid: "a" }), at(10, { sid: "a" }), true],
    ["another session", at(20, { sid: "b" }), at(10, { sid: "a" }), false],
    ["an older token of the user, without sessions", at(10), at(20), true],
    ["a later sign-in of the user, without sessions", at(20), at(10), false],
    ["two tokens without claims", "x", "y", false],
  ])("%s", (_, candidate, ended, expected) => {
    expect(belongsTo(candidate, ended)).toBe(expected);
  });
});
