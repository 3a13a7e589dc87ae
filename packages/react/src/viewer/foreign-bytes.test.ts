// @vitest-environment happy-dom
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { fetchExternalPdf } from "./foreign-bytes";

const PDF = "%PDF-1.7\nhello";
const URL_ELSEWHERE = "https://documents.example/terms.pdf";
const sha256 = createHash("sha256").update(PDF).digest("hex");
const never = new AbortController().signal;

const respondWith = (body: BodyInit, status = 200) =>
  vi.fn<typeof globalThis.fetch>(async () => new Response(body, { status }));

it("fetches a document with the expected hash, without cookies and referrer", async () => {
  const fetch = respondWith(PDF);
  const bytes = await fetchExternalPdf(URL_ELSEWHERE, sha256, fetch, never);
  expect(new TextDecoder().decode(bytes)).toBe(PDF);
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
});

it("accepts any PDF without an expected hash", async () => {
  await expect(
    fetchExternalPdf(URL_ELSEWHERE, undefined, respondWith(PDF), never),
  ).resolves.toBeDefined();
});

it.each([
  ["another document", respondWith(`${PDF}!`), sha256],
  ["a web page", respondWith("<!doctype html>"), undefined],
  ["an error", respondWith(PDF, 404), undefined],
  ["nothing", respondWith(""), undefined],
  ["more than 20 MiB", respondWith(`${PDF}${"x".repeat(20 * 1024 * 1024)}`), undefined],
])("rejects %s", async (_, fetch, expected) => {
  await expect(fetchExternalPdf(URL_ELSEWHERE, expected, fetch, never)).rejects.toThrow(
    /the document/,
  );
});
