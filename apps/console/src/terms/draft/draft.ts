/** What the page images of a document lack, or what acts by itself in it. */
export interface Finding {
  readonly kind: string;
  readonly concern: "missing" | "active" | "remark";
  /** Absent: of the document as a whole. */
  readonly page?: number;
  /** As the document names it; may be empty. */
  readonly name: string;
}

/** The document of one language, as the server keeps it. */
export interface DraftDocument {
  readonly sha256: string;
  readonly bytes: number;
  /** 0: it could not be drawn, and the viewer draws it with pdf.js. */
  readonly pages: number;
  /** Why it could not be drawn. */
  readonly undrawn?: string;
  /** Absent: it was uploaded before documents were examined. */
  readonly findings?: readonly Finding[];
}

export interface DraftVariant {
  readonly locale: string;
  readonly title: string;
  /** What has changed, in this language; without it the sentence of the whole stands for it. */
  readonly summary?: string;
  /** Set by an upload; the server ignores it in what it is sent. */
  readonly document?: DraftDocument;
}

/** What a draft says, as it is sent and answered. */
export interface DraftBody {
  readonly type: string;
  readonly mandatory: boolean;
  readonly display_order?: number;
  /** Absent: as soon as it is published. */
  readonly effective_from?: string;
  readonly grace_until?: string;
  readonly replaces?: number;
  readonly minor: boolean;
  /** What has changed, for languages without a sentence of their own. */
  readonly summary?: string;
  /** What the document calls this version, such as 1.1. */
  readonly label?: string;
  /** Why it is published though riders do not see all that a document says. */
  readonly unreadable_ok?: string;
  /** Why it is published though something acts by itself in a document. */
  readonly active_content_ok?: string;
  /** The first is the default language. */
  readonly variants: readonly DraftVariant[];
}

export interface Draft extends DraftBody {
  readonly id: string;
  readonly revision: number;
  readonly updated_at: string;
  /** Who saved it last; absent when they were erased since. */
  readonly updated_by?: string;
}

export const emptyDraft: DraftBody = { type: "", mandatory: true, minor: false, variants: [] };

/** Without what only the server knows. */
export function bodyOf({
  id: _id,
  revision: _revision,
  updated_at: _at,
  ...body
}: Draft): DraftBody {
  return body;
}

/** With the documents that the server has: they come by uploads and never by typing. */
export function withDocumentsOf(body: DraftBody, of: DraftBody): DraftBody {
  const variants = body.variants.map(({ document: _former, ...variant }) => {
    const stored = of.variants.find(({ locale }) => locale === variant.locale)?.document;
    return stored ? { ...variant, document: stored } : variant;
  });
  return { ...body, variants };
}

type Change<Of> = { readonly [Name in keyof Of]?: Of[Name] | undefined };

/** With what is changed; a field that is undefined goes. */
export function changed<Of extends object>(what: Of, change: Change<Of>): Of {
  const entries = Object.entries({ ...what, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Of;
}

export const changedVariant = (
  body: DraftBody,
  locale: string,
  change: Change<DraftVariant>,
): DraftBody => ({
  ...body,
  variants: body.variants.map((it) => (it.locale === locale ? changed(it, change) : it)),
});
