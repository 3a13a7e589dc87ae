import { useState } from "react";
import type { Texts } from "../texts";
import { Button } from "../ui";
import { type Block, type Fetch, loadJson, type Manifest } from "../viewer/manifest";
import { documentSource } from "../viewer/source";
import { usePromise } from "../viewer/use-answer";
import { type Comparison, compare } from "./compare";
import { Inline } from "./inline";
import { SideBySide } from "./side-by-side";
import { type Compared, comparableBlocks, unreadPages } from "./unread";

/** The layout: one text with marks, or two texts side by side with the names `before` and `after`. */
export type DocumentChangesLayout =
  | { readonly kind: "inline" }
  | { readonly kind: "side-by-side"; readonly before: string; readonly after: string };

/** Props of `DocumentChanges`. */
export interface DocumentChangesProps {
  /** Link to the PDF of the old version on a Musette server. */
  readonly before: string;
  readonly after: string;
  /** Language of both texts. */
  readonly locale: string;
  readonly texts: Texts;
  readonly layout?: DocumentChangesLayout;
  readonly fetch?: Fetch;
}

/** Returns whether both links are of a Musette server, which provides comparable texts. */
export const areComparable = (before: string, after: string): boolean =>
  [before, after].every((link) => documentSource(link)?.manifest);

/** Shows the differences between two documents, word by word. Loads the texts when it mounts. */
export function DocumentChanges(props: DocumentChangesProps) {
  const { before, after, locale, texts, layout, fetch = globalThis.fetch } = props;
  const [attempt, setAttempt] = useState(0);
  const { value, error } = usePromise(`${before} ${after} ${attempt}`, async () => {
    const [older, newer] = await Promise.all([documentOf(before, fetch), documentOf(after, fetch)]);
    const unread = new Set([...unreadPages(older), ...unreadPages(newer)]);
    return {
      comparison: compare(comparableBlocks(older), comparableBlocks(newer)),
      unread: [...unread].sort((one, other) => one - other),
    };
  });
  const comparison = value?.comparison;
  return (
    <>
      <div role="status">
        {error !== undefined && <p>{texts.changes.failed}</p>}
        {!value && error === undefined && <p>{texts.viewer.loading}</p>}
        {value && <p>{summaryOf(value.comparison, value.unread.length > 0, texts)}</p>}
        {value?.unread.map((page) => (
          <p key={page}>{texts.changes.unread(page)}</p>
        ))}
      </div>
      {error !== undefined && (
        <Button kind="secondary" onClick={() => setAttempt(attempt + 1)}>
          {texts.viewer.tryAgain}
        </Button>
      )}
      {comparison?.kind === "changes" &&
        (layout?.kind === "side-by-side" ? (
          <SideBySide comparison={comparison} locale={locale} texts={texts} names={layout} />
        ) : (
          <Inline comparison={comparison} locale={locale} texts={texts} />
        ))}
    </>
  );
}

async function documentOf(link: string, fetch: Fetch): Promise<Compared> {
  const { manifest: url = "" } = documentSource(link) ?? {};
  const manifest = await loadJson<Manifest>(url, fetch);
  const reading = new URL(manifest.reading, url).href;
  const { blocks } = await loadJson<{ readonly blocks: readonly Block[] }>(reading, fetch);
  return { blocks, manifest };
}

/** The words are called the same only if all pages are text. */
function summaryOf(comparison: Comparison, isPartial: boolean, { changes }: Texts): string {
  if (comparison.kind === "same" && isPartial) return changes.sameElsewhere;
  if (comparison.kind !== "changes") return changes[comparison.kind];
  return changes.counted(comparison.added, comparison.removed);
}
