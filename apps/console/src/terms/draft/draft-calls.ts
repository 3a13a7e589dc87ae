import { HttpError } from "@musette/client/http";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import type { PublishedTerm } from "../terms-query";
import { defaultDates } from "./default-dates";
import { asComplete, type Draft, type DraftBody } from "./draft";

export type DraftError = Wire<"ProblemError">;

export type DraftCheck = Wire<"DraftCheck">;

const DRAFTS = "/api/admin/v1/term-drafts";
const DRAFT = `${DRAFTS}/{id}` as const;
const tag = (revision: number) => `"${revision}"`;

export const wasChanged = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 412;

export const readDraft = (id: string) => api.get(DRAFT, { path: { id } }).then(asComplete);

export const addDraft = (body: DraftBody) => api.post(DRAFTS, { body }).then(asComplete);

export const writeDraft = (id: string, body: DraftBody, revision: number) =>
  api.put(DRAFT, { path: { id }, body, ifMatch: tag(revision) }).then(asComplete);

export const discardDraft = ({ id, revision }: Draft) =>
  api.delete(DRAFT, { path: { id }, ifMatch: tag(revision) });

export const checkDraft = (id: string) => api.post(`${DRAFT}/check`, { path: { id } });

/** The reasons for publishing despite problems. */
export type Reasons = Wire<"PublishBody">;

/** With `breakGlass`, an admin publishes without the required approvals. */
export const publishDraft = ({ id, revision }: Draft, reasons: Reasons, breakGlass?: string) =>
  api.post(`${DRAFT}/publish`, {
    path: { id },
    ...(breakGlass && { query: { break_glass: breakGlass } }),
    ifMatch: tag(revision),
    body: reasons,
  });

/** Returns the draft of the next version, with the content of the published term. */
export const draftFrom = (term: PublishedTerm): DraftBody => ({
  ...defaultDates(),
  type: term.type,
  mandatory: term.mandatory,
  ...(term.kind === "notice" && { kind: term.kind }),
  display_order: term.display_order,
  replaces: term.id,
  minor: false,
  variants: term.variants.map(({ locale, title }) => ({ locale, title })),
});
