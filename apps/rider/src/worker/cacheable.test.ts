import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kindOf, mayCache, PAGES } from "./cacheable";

const ORIGIN = "https://terms.example";
const SHA = "a".repeat(64);

function asked(path: string, over: { method?: string; mode?: string; token?: boolean } = {}) {
  const headers = new Headers(over.token ? { Authorization: "Bearer x" } : {});
  const { method = "GET", mode = "cors" } = over;
  const url = new URL(path, ORIGIN).href;
  return kindOf({ method, mode: mode as RequestMode, url, headers }, ORIGIN);
}

describe("what the worker may answer", () => {
  test("the pages of the app, and no others", () => {
    const app = readFileSync(new URL("../app.tsx", import.meta.url), "utf8");
    const cases = [...app.matchAll(/case "([^"]+)":/g)].map(([, path]) => path);
    expect(cases.length).toBeGreaterThan(5);
    expect(PAGES.toSorted()).toEqual(cases.toSorted());
    for (const path of [...PAGES, "/terms/", "/receipt?a=1"]) {
      expect(asked(path, { mode: "navigate" })).toBe("page");
    }
    const others = ["/console", "/console/terms", `/documents/${SHA}.pdf`, "/receipts/x.pdf"];
    for (const path of [...others, "/viewer/frame.html", "/openapi.json", "/nothing"]) {
      expect(asked(path, { mode: "navigate" }), path).toBeUndefined();
    }
  });

  test("public reads", () => {
    expect(asked("/api/rooster/v3/public/terms?types=FREELANCER")).toBe("terms");
    expect(asked("/api/rooster/v3/public/markets?types=FREELANCER")).toBe("terms");
    expect(asked(`/documents/${SHA}/manifest.json`)).toBe("document");
    expect(asked(`/documents/${SHA}/1@2x.png`)).toBe("document");
    expect(asked("/assets/index-Cdsa8U0p.js")).toBe("file");
  });

  test("no personal data", () => {
    const personal = [
      "/api/rooster/v3/terms?types=FREELANCER",
      "/api/rooster/v3/terms/r1/consents",
      "/api/rooster/v3/terms/r1/history",
      "/api/rooster/v3/terms/r1/outstanding",
      "/api/session/v1/me",
      "/api/session/v1/refresh",
      "/api/flags/v3/client/flags",
      "/receipts/x.json",
      `/documents/${SHA}.pdf`,
    ];
    for (const path of personal) expect(asked(path), path).toBeUndefined();
    for (const path of [
      "/api/rooster/v3/public/terms",
      `/documents/${SHA}/1.png`,
      "/assets/a.js",
    ]) {
      expect(asked(path, { token: true }), path).toBeUndefined();
      expect(asked(path, { method: "POST" }), path).toBeUndefined();
    }
    expect(asked("https://other.example/assets/a.js")).toBeUndefined();
  });
});

function answer(caching: string, type = "application/json", status = 200) {
  const headers = { "cache-control": caching, "content-type": type };
  const response = new Response("", { status, headers });
  Object.defineProperty(response, "type", { value: "basic" });
  return response;
}

test("keeps an answer only if it is public and of the expected kind", () => {
  expect(mayCache("terms", answer("public, max-age=60"))).toBe(true);
  expect(mayCache("document", answer("public, max-age=31536000, immutable"))).toBe(true);
  // A draft that an operator previews.
  expect(mayCache("document", answer("private, no-store"))).toBe(false);
  expect(mayCache("document", answer(""))).toBe(false);
  expect(mayCache("terms", answer("public, max-age=60", "application/json", 503))).toBe(false);
  // A hotel's sign-in page, or the app's own page in place of a file that no longer exists.
  expect(mayCache("file", answer("no-cache", "text/html; charset=utf-8"))).toBe(false);
  expect(mayCache("file", answer("public, immutable", "text/javascript"))).toBe(true);
  expect(mayCache("page", answer("no-cache", "text/html; charset=utf-8"))).toBe(true);
  expect(mayCache("page", answer("no-cache", "application/json"))).toBe(false);
});
