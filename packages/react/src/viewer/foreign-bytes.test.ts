// @vitest-environment happy-dom
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { foreignBytes } from "./foreign-bytes";

const PDF = "%PDF-1.7\nhello";
const URL_ELSEWHERE = "https://documents.example/terms.pdf";
const sha256 = createHash("sha256").update(PDF).digest("hex");
const never = new AbortController().signal;

const serving = (body: BodyInit, status = 200) =>
  vi.fn<typeof globalThis.fetch>(async () => new Response(body, { status }));

it("takes the document whose hash the term names, without cookies or referrer", async () => {
  const fetch = serving(PDF);
  const bytes = await foreignBytes(URL_ELSEWHERE, sha256, fetch, never);
  expect(new TextDecoder().decode(bytes)).toBe(PDF);
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
});

it("takes a document without a hash on trust, as the link itself", async () => {
  await expect(foreignBytes(URL_ELSEWHERE, undefined, serving(PDF), never)).resolves.toBeDefined();
});

it.each([
  ["another document", serving(`${PDF}!`), sha256],
  ["a web page", serving("<!doctype html>"), undefined],
  ["an error", serving(PDF, 404), undefined],
  ["nothing", serving(""), undefined],
  ["more than 20 MiB", serving(`${PDF}${"x".repeat(20 * 1024 * 1024)}`), undefined],
])("refuses %s", async (_, fetch, expected) => {
  await expect(foreignBytes(URL_ELSEWHERE, expected, fetch, never)).rejects.toThrow(
    /document (answered|is)/,
  );
});
