import { useState } from "react";
import type { Texts } from "../texts";
import { Button } from "../ui";
import { type Block, type Fetch, loadJson, type Manifest } from "../viewer/manifest";
import { documentSource } from "../viewer/source";
import { useAnswer } from "../viewer/use-answer";
import { type Comparison, compare } from "./compare";
import { Inline } from "./inline";
import { SideBySide } from "./side-by-side";

/** One text with marks in it, or the two beside each other under their names. */
export type DocumentChangesLayout =
  | { readonly kind: "inline" }
  | { readonly kind: "side-by-side"; readonly before: string; readonly after: string };

/** Props of `DocumentChanges`. */
export interface DocumentChangesProps {
  /** Links to the PDFs of the two versions, on a Musette server. */
  readonly before: string;
  readonly after: string;
  /** Language of both texts. */
  readonly locale: string;
  readonly texts: Texts;
  readonly layout?: DocumentChangesLayout;
  readonly fetch?: Fetch;
}

/** Whether both links lead to documents of a Musette server, whose texts can be compared. */
export const areComparable = (before: string, after: string): boolean =>
  [before, after].every((link) => documentSource(link)?.manifest);

/** What changed between two documents, word by word; fetched when it is shown. */
export function DocumentChanges(props: DocumentChangesProps) {
  const { before, after, locale, texts, layout, fetch = globalThis.fetch } = props;
  const [attempt, setAttempt] = useState(0);
  const { value, error } = useAnswer(`${before} ${after} ${attempt}`, async () => {
    const [old, now] = await Promise.all([before, after].map((link) => blocksOf(link, fetch)));
    return compare(old ?? [], now ?? []);
  });
  return (
    <>
      <div role="status">
        {error !== undefined && <p>{texts.changes.failed}</p>}
        {!value && error === undefined && <p>{texts.viewer.loading}</p>}
        {value && <p>{statement(value, texts)}</p>}
      </div>
      {error !== undefined && (
        <Button kind="secondary" onClick={() => setAttempt(attempt + 1)}>
          {texts.viewer.tryAgain}
        </Button>
      )}
      {value?.kind === "changes" &&
        (layout?.kind === "side-by-side" ? (
          <SideBySide comparison={value} locale={locale} texts={texts} names={layout} />
        ) : (
          <Inline comparison={value} locale={locale} texts={texts} />
        ))}
    </>
  );
}

async function blocksOf(link: string, fetch: Fetch): Promise<readonly Block[]> {
  const { manifest = "" } = documentSource(link) ?? {};
  const { reading } = await loadJson<Manifest>(manifest, fetch);
  const url = new URL(reading, manifest).href;
  return (await loadJson<{ readonly blocks: readonly Block[] }>(url, fetch)).blocks;
}

function statement(comparison: Comparison, { changes }: Texts): string {
  if (comparison.kind !== "changes") return changes[comparison.kind];
  return changes.counted(comparison.added, comparison.removed);
}
