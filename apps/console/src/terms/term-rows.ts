import { inLanguage } from "../language/in-language";
import type { Draft } from "./draft/draft";
import type { PublishedTerm } from "./terms-query";
import type { TermStatus, TermsSort } from "./terms-search";

/** A draft or a published version, as one line of the list. */
export interface TermRow {
  readonly key: string;
  readonly title: string;
  readonly type: string;
  readonly status: TermStatus;
  readonly mandatory: boolean;
  /** Whether riders are only informed of it. */
  readonly isNotice: boolean;
  readonly locales: readonly string[];
  /** Absent: for all markets. */
  readonly market?: string;
  /** Absent for a draft, which gets its position when it is published. */
  readonly order?: number;
  /** When it takes effect or was last saved. "Newest" sorts by this. */
  readonly at: string;
  readonly draft?: Draft;
  readonly term?: PublishedTerm;
}

export interface TermGroup {
  readonly type: string;
  readonly rows: readonly TermRow[];
  /** The versions that have ended, newest first. */
  readonly former: readonly TermRow[];
}

export function rowOfTerm(term: PublishedTerm, language: string): TermRow {
  return {
    key: `term-${term.id}`,
    title: inLanguage(term.variants, language)?.title ?? "",
    type: term.type,
    status: term.status,
    mandatory: term.mandatory,
    isNotice: term.kind === "notice",
    locales: term.variants.map(({ locale }) => locale),
    ...(term.market && { market: term.market }),
    order: term.display_order,
    at: endedAt(term) ?? term.effective_from,
    term,
  };
}

const endedAt = ({ status, cancelled_at, retired_at }: PublishedTerm) =>
  cancelled_at ?? (status === "retired" ? retired_at : undefined);

export function rowOfDraft(draft: Draft, language: string): TermRow {
  return {
    key: `draft-${draft.id}`,
    title: inLanguage(draft.variants, language)?.title ?? "",
    type: draft.type,
    status: "draft",
    mandatory: draft.mandatory,
    isNotice: draft.kind === "notice",
    locales: draft.variants.map(({ locale }) => locale),
    ...(draft.market && { market: draft.market }),
    ...(draft.display_order !== undefined && { order: draft.display_order }),
    at: draft.updated_at,
    draft,
  };
}

/** Whether riders are no longer asked for it. */
export const isOver = (status: TermStatus | undefined): boolean =>
  status === "superseded" || status === "cancelled" || status === "retired";

const LAST = Number.POSITIVE_INFINITY;
/** The riders' order. For equal positions the older term comes first, as on the server. */
const byOrder = (a: TermRow, b: TermRow) =>
  (a.order ?? LAST) - (b.order ?? LAST) || (a.term?.id ?? LAST) - (b.term?.id ?? LAST) || 0;
const byNewest = (a: TermRow, b: TermRow) => b.at.localeCompare(a.at);

export function groupsOf(
  rows: readonly TermRow[],
  sort: TermsSort,
  language: string,
): readonly TermGroup[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const orders = {
    order: byOrder,
    newest: byNewest,
    title: (a: TermRow, b: TermRow) => compare(a.title, b.title),
  };
  const types = [...new Set(rows.map(({ type }) => type))].sort(compare);
  return types.map((type) => {
    const all = rows.filter((row) => row.type === type);
    return {
      type,
      rows: all.filter(({ status }) => !isOver(status)).sort(orders[sort]),
      former: all.filter(({ status }) => isOver(status)).sort(byNewest),
    };
  });
}
