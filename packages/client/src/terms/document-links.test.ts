import { afterEach, expect, it, vi } from "vitest";
import { resolveContent } from "./document-links";
import { createTermsClient } from "./terms-client";

const path = `/documents/${"a".repeat(64)}.pdf`;
const FOREIGN = `http://127.0.0.1:8080${path}`;
const PAGE = "https://riders.example";

const setOrigin = (href: string) => vi.stubGlobal("origin", new URL(href).origin);
afterEach(() => vi.unstubAllGlobals());

it.each([
  ["a proxy replaced the host", FOREIGN, "/api/rooster/v3", `${PAGE}${path}`],
  ["the base address is below the page", FOREIGN, "api/rooster/v3", `${PAGE}${path}`],
  ["the base address is a full one", FOREIGN, `${PAGE}/api`, FOREIGN],
  ["the link has a query", `${FOREIGN}?v=1`, "/api", `${FOREIGN}?v=1`],
  ["the server is on another origin", FOREIGN, "https://musette.example/api", FOREIGN],
  ["the base address has no scheme", FOREIGN, "//musette.example/api", FOREIGN],
  ["the link is the page's already", `${PAGE}${path}`, "/api", `${PAGE}${path}`],
  ["another document", "https://cdn.example/rules.pdf", "/api", "https://cdn.example/rules.pdf"],
  ["a relative link", path, "/api", path],
  ["no address at all", "https://", "/api", "https://"],
])("%s", (_, content, baseUrl, resolved) => {
  setOrigin(`${PAGE}/apply?step=2`);
  expect(resolveContent({ content, id: 1 }, baseUrl)).toEqual({ content: resolved, id: 1 });
});

it("leaves every link where there is no page", () => {
  vi.stubGlobal("origin", undefined);
  expect(resolveContent({ content: FOREIGN }, "/api").content).toBe(FOREIGN);
});

it("resolves the links of lists, the history and opened receipts", async () => {
  setOrigin(`${PAGE}/`);
  const term = { id: 1, title: "Rules", content: FOREIGN, mandatory: true, display_order: 1 };
  const answers: Record<string, unknown> = {
    "/api/rooster/v3/public/terms?types=FREELANCER,MARKETING": [term],
    "/api/rooster/v3/terms/r1/history?limit=100": { history: [{ seq: 1, term }] },
    "/api/rooster/v3/terms/consents/receipts": { terms: [term], standing: [] },
  };
  const fetch = async (url: unknown) => new Response(JSON.stringify(answers[String(url)]));
  const client = createTermsClient({ fetch: fetch as typeof globalThis.fetch });
  const [listed] = await client.fetchTerms({ termsType: "FREELANCER" });
  const { history } = await client.fetchHistory("r1");
  const { terms } = await client.lookUpReceipt("n");
  const resolved = `${PAGE}${path}`;
  expect(listed?.content).toBe(resolved);
  expect(history[0]?.term?.content).toBe(resolved);
  expect(terms[0]?.content).toBe(resolved);
});
