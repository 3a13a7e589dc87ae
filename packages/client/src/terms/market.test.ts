import { afterEach, expect, it, vi } from "vitest";
import { failureOf } from "./failure";
import { buildSubmission } from "./submission";
import { createTermsClient } from "./terms-client";

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": status < 300 ? "application/json" : "application/problem+json" },
  });
const unknownMarket = (status: number) => json({ status, code: "unknown_market" }, status);

const input = {
  terms: [],
  agreement: { earlier: new Set<number>(), choices: new Map() },
  readings: new Map(),
  consentedAt: new Date("2026-11-23T20:00:00Z"),
};

afterEach(() => vi.restoreAllMocks());

it("sends the market of an applicant, but not of an account", async () => {
  const urls: string[] = [];
  const fetch = async (url: RequestInfo | URL) => {
    urls.push(String(url));
    return json([]);
  };
  const { fetchTerms } = createTermsClient({ baseUrl: "/v3", fetch });
  await fetchTerms({ termsType: "FREELANCER", market: "DE-BE.berlin" });
  await fetchTerms({ termsType: "FREELANCER", market: "a&types=B" });
  await fetchTerms({ termsType: "FREELANCER", market: "" });
  await fetchTerms({ termsType: "FREELANCER", market: "DE", userId: "r1" });
  expect(urls).toEqual([
    "/v3/public/terms?types=FREELANCER,MARKETING&market=DE-BE.berlin",
    "/v3/public/terms?types=FREELANCER,MARKETING&market=a%26types%3DB",
    "/v3/public/terms?types=FREELANCER,MARKETING",
    "/v3/terms?types=FREELANCER,MARKETING",
  ]);
  const build = (userId: string | undefined) => buildSubmission({ ...input, userId, market: "DE" });
  expect(build(undefined).market).toBe("DE");
  expect(build("r1")).not.toHaveProperty("market");
  expect(buildSubmission({ ...input, userId: undefined })).not.toHaveProperty("market");
});

it("logs one line for an unknown market and reports a final failure", async () => {
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
  const market = "DE.nowhere";
  const client = createTermsClient({ fetch: async () => unknownMarket(400) });
  const readError = await client.fetchTerms({ termsType: "A", market }).catch((error) => error);
  const submitting = createTermsClient({ fetch: async () => unknownMarket(422) });
  const submission = buildSubmission({ ...input, userId: undefined, market });
  const submitError = await submitting
    .submitConsents(submission, { idempotencyKey: "k" })
    .catch((error) => error);
  expect([failureOf(readError), failureOf(submitError)]).toEqual([
    { kind: "unknownMarket", final: true },
    { kind: "unknownMarket", final: true },
  ]);
  const line = `Musette: unknown market "DE.nowhere". Use a country (DE), a subdivision (DE-BE), or a declared place (DE-BE.berlin).`;
  expect(consoleError.mock.calls).toEqual([[line], [line]]);
});

it("logs the detail of misdirected_request, which says what to set", async () => {
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
  const detail = "This server does not go by that name; --public-url sets it.";
  const fetch = async () => json({ status: 421, code: "misdirected_request", detail }, 421);
  const client = createTermsClient({ fetch });
  await expect(client.fetchTerms({ termsType: "A" })).rejects.toMatchObject({ status: 421 });
  expect(consoleError.mock.calls).toEqual([[`Musette: ${detail}`]]);
});
