import { HttpError } from "@musette/client/http";
import { changeAdmin, readAdmin } from "../../api/admin";
import type { PublishedTerm } from "../terms-query";
import { type Draft, type DraftBody, emptyDraft } from "./draft";

export interface Fault {
  /** A JSON pointer into the draft. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface DraftCheck {
  readonly problems: readonly Fault[];
  readonly riders: number;
  readonly riders_asked: number;
  readonly agreements: number;
  readonly blocks_from?: string;
}

const path = (id: string) => `/term-drafts/${encodeURIComponent(id)}`;
const tag = (revision: number) => `"${revision}"`;

/** Of a change that is always answered with what came of it. */
async function answered<T>(answer: Promise<T | undefined>): Promise<T> {
  const body = await answer;
  if (body === undefined) throw new Error("The server answered with nothing");
  return body;
}

export const wasChanged = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 412;

export const readDraft = (id: string) => readAdmin<Draft>(path(id));

export const addDraft = (body: DraftBody = emptyDraft) =>
  answered(changeAdmin<Draft>("/term-drafts", { method: "POST", body }));

export const writeDraft = (id: string, body: DraftBody, revision: number) =>
  answered(changeAdmin<Draft>(path(id), { method: "PUT", body, ifMatch: tag(revision) }));

export const dropDraft = ({ id, revision }: Draft) =>
  changeAdmin<void>(path(id), { method: "DELETE", ifMatch: tag(revision) });

export const checkDraft = (id: string) =>
  answered(changeAdmin<DraftCheck>(`${path(id)}/check`, { method: "POST" }));

/** Why somebody publishes what is refused otherwise. */
export interface Reasons {
  readonly unreadable_ok?: string;
  readonly active_content_ok?: string;
}

export const publishDraft = ({ id, revision }: Draft, reasons: Reasons) =>
  answered(
    changeAdmin<PublishedTerm>(`${path(id)}/publish`, {
      method: "POST",
      ifMatch: tag(revision),
      body: reasons,
    }),
  );

/** The next version of a published term, which says what that one says until it is changed. */
export const draftFrom = (term: PublishedTerm): DraftBody => ({
  type: term.type,
  mandatory: term.mandatory,
  display_order: term.display_order,
  replaces: term.id,
  minor: false,
  variants: term.variants.map(({ locale, title }) => ({ locale, title })),
});
