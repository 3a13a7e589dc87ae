import { afterEach, expect, it, vi } from "vitest";
import { failureOf } from "./failure";
import { buildSubmission } from "./submission";
import { createTermsClient } from "./terms-client";

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": status < 300 ? "application/json" : "application/problem+json" },
  });
const unknown = (status: number) => json({ status, code: "unknown_market" }, status);

const input = {
  terms: [],
  agreement: { earlier: new Set<number>(), choices: new Map() },
  readings: new Map(),
  consentedAt: new Date("2026-11-23T20:00:00Z"),
};

afterEach(() => vi.restoreAllMocks());

it("is asked for and submitted for an applicant, and never with an account", async () => {
  const asked: string[] = [];
  const fetch = async (url: RequestInfo | URL) => {
    asked.push(String(url));
    return json([]);
  };
  const { fetchTerms } = createTermsClient({ baseUrl: "/v3", fetch });
  await fetchTerms({ termsType: "FREELANCER", market: "DE-BE.berlin" });
  await fetchTerms({ termsType: "FREELANCER", market: "a&types=B" });
  await fetchTerms({ termsType: "FREELANCER", market: "" });
  await fetchTerms({ termsType: "FREELANCER", market: "DE", userId: "r1" });
  expect(asked).toEqual([
    "/v3/public/terms?types=FREELANCER,MARKETING&market=DE-BE.berlin",
    "/v3/public/terms?types=FREELANCER,MARKETING&market=a%26types%3DB",
    "/v3/public/terms?types=FREELANCER,MARKETING",
    "/v3/terms?types=FREELANCER,MARKETING",
  ]);
  const built = (userId: string | undefined) => buildSubmission({ ...input, userId, market: "DE" });
  expect(built(undefined).market).toBe("DE");
  expect(built("r1")).not.toHaveProperty("market");
  expect(buildSubmission({ ...input, userId: undefined })).not.toHaveProperty("market");
});

it("that nobody knows is explained in one line, and is final", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const market = "DE.nowhere";
  const reading = createTermsClient({ fetch: async () => unknown(400) });
  const read = await reading.fetchTerms({ termsType: "A", market }).catch((error) => error);
  const sending = createTermsClient({ fetch: async () => unknown(422) });
  const submission = buildSubmission({ ...input, userId: undefined, market });
  const sent = await sending
    .submitConsents(submission, { idempotencyKey: "k" })
    .catch((error) => error);
  expect([failureOf(read), failureOf(sent)]).toEqual([
    { kind: "unknownMarket", final: true },
    { kind: "unknownMarket", final: true },
  ]);
  const line = `Musette: unknown market "DE.nowhere". Use a country (DE), a subdivision (DE-BE), or a declared place (DE-BE.berlin).`;
  expect(said.mock.calls).toEqual([[line], [line]]);
});

it("a server that does not know its name says what to set", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const detail = "This server does not go by that name; --public-url sets it.";
  const fetch = async () => json({ status: 421, code: "misdirected_request", detail }, 421);
  const reading = createTermsClient({ fetch });
  await expect(reading.fetchTerms({ termsType: "A" })).rejects.toMatchObject({ status: 421 });
  expect(said.mock.calls).toEqual([[`Musette: ${detail}`]]);
});
