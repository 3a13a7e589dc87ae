import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import type { Screen } from "./screen";

const shown = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

/** Creates terms in every state, decisions about one of them, and an incomplete draft. */
export async function prepareTerms(musette: Musette): Promise<readonly Screen[]> {
  const publish = (title: string, ...more: readonly string[]) =>
    musette.publish(join(prepared, "handbook.pdf"), "FREELANCER", title, "--mandatory", ...more);
  publish("Rider handbook", "--order", "1");
  publish("Equipment certificate", "--order", "2");
  publish("Rider handbook", "--order", "1", "--replaces", "1", "--summary", "Lights are checked.");
  publish("Equipment certificate", "--replaces", "2", "--effective-from", "2100-01-01T00:00:00Z");
  musette.addRider("screens-1", "Ottilie Fernwick");
  musette.addRider("screens-2", "Bram Tolliver");
  musette.importConsents([
    ["screens-1", 3, true, "en"],
    ["screens-2", 2, false, "en"],
  ]);
  const answer = await fetch(`${musette.url}/api/admin/v1/term-drafts`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${musette.tokens("ada-admin", 900).dhhToken}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      type: "FREELANCER",
      mandatory: true,
      minor: false,
      replaces: 3,
      effective_from: "2100-01-01T08:00:00Z",
      grace_until: "2100-02-01T08:00:00Z",
      summary: "Das Licht wird geprüft.",
      variants: [
        { locale: "de", title: "Handbuch" },
        { locale: "ar", title: "دليل السائق", summary: "تُفحص الأضواء." },
      ],
    }),
  });
  const { id } = await answer.json();
  return [
    { name: "terms", path: "terms", ready: shown("main section.card") },
    {
      name: "superseded terms",
      path: "terms?status=superseded",
      ready: shown("main section.card"),
    },
    { name: "no such terms", path: "terms?type=NOTHING", ready: shown(".card.calm") },
    { name: "term", path: "terms/3", ready: shown("main ol li") },
    { name: "scheduled term", path: "terms/4", ready: shown("main details summary") },
    { name: "draft", path: `terms/drafts/${id}`, ready: shown("main aside ul button") },
    { name: "coverage", path: "terms/3/coverage", ready: shown("main figure") },
    {
      name: "coverage of an earlier day",
      path: "terms/3/coverage?as_of=2020-02-29",
      ready: shown("main section.card"),
    },
    {
      name: "coverage of nobody",
      path: "terms/2/coverage?days=90",
      ready: shown("tr[data-index]"),
    },
  ];
}
