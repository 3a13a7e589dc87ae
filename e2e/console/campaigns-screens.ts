import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import type { Screen } from "./screen";

const DAY_MS = 86_400_000;
const shown = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

/** The texts of a campaign in three languages. */
export const TEXTS = {
  en: { subject: "{{title}}", body: "Hello {{name}},\n\nplease read {{title}}: {{link}}" },
  de: { subject: "{{title}}", body: "Hallo {{name}},\n\nbitte lies {{title}}: {{link}}" },
  ar: { subject: "{{title}}", body: "مرحبًا {{name}}،\n\nيرجى قراءة {{title}}: {{link}}" },
};

/** Calls the API as a colleague, and returns the JSON of the response. */
export async function callAs<Result>(
  musette: Musette,
  user: string,
  path: string,
  body?: object,
  method = body ? "POST" : "GET",
): Promise<Result> {
  const response = await fetch(`${musette.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${musette.tokens(user, 900).dhhToken}`,
      "Content-Type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Result;
}

/** Creates a notice, a term, a draft about the notice, and a running campaign about the term. */
export async function prepareCampaigns(musette: Musette): Promise<readonly Screen[]> {
  const document = join(prepared, "handbook.pdf");
  musette.publish(document, "FREELANCER", "Rider handbook", "--mandatory");
  const later = new Date(Date.now() + 60 * DAY_MS).toISOString();
  const notice = ["--kind", "notice", "--effective-from", later];
  const { id } = musette.publish(
    document,
    "PAY",
    "Rules of pay for nights and holidays",
    ...notice,
  );
  musette.addRider("rider-1", "Ottilie Fenwick", "rider-1@larkspur.example");
  musette.addRider("rider-2", "Bram Tolliver");
  const add = (body: object) =>
    callAs<{ id: string }>(musette, "ada-admin", "/api/admin/v1/campaigns", {
      texts: TEXTS,
      any_time: true,
      ...body,
    });
  const draft = await add({
    term_id: id,
    steps: [
      { at: { before: "effective_from", by: "P30D" }, channel: "email" },
      { at: { before: "effective_from", by: "P7D" }, channel: "push" },
    ],
  });
  const running = await add({
    term_id: 1,
    steps: [
      { at: { after: "start", by: "P0D" }, channel: "app" },
      { at: { after: "start", by: "P7D" }, channel: "push" },
    ],
  });
  await callAs(musette, "ada-admin", `/api/admin/v1/campaigns/${running.id}/start`, {});
  return [
    { name: "campaigns", path: "campaigns", ready: shown("tr[data-index]") },
    { name: "no such campaigns", path: "campaigns?status=paused", ready: shown(".card.calm") },
    { name: "running campaign", path: `campaigns/${running.id}`, ready: shown("tr[data-index]") },
    { name: "draft campaign", path: `campaigns/${draft.id}`, ready: shown("main section dl dd") },
    { name: "new campaign", path: "campaigns/new", ready: shown("main form ol li") },
    { name: "edited campaign", path: `campaigns/${draft.id}/edit`, ready: shown("main article") },
    { name: "reach of a notice", path: `terms/${id}/reach`, ready: shown("tr[data-index]") },
  ];
}
