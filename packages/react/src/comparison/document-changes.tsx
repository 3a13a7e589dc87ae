import { useState } from "react";
import type { Texts } from "../texts";
import { Button } from "../ui";
import { type Block, type Fetch, loadJson, type Manifest } from "../viewer/manifest";
import { documentSource } from "../viewer/source";
import { usePromise } from "../viewer/use-answer";
import { type Comparison, compare } from "./compare";
import { Inline } from "./inline";
import { SideBySide } from "./side-by-side";

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
    const [oldBlocks, newBlocks] = await Promise.all(
      [before, after].map((link) => blocksOf(link, fetch)),
    );
    return compare(oldBlocks ?? [], newBlocks ?? []);
  });
  return (
    <>
      <div role="status">
        {error !== undefined && <p>{texts.changes.failed}</p>}
        {!value && error === undefined && <p>{texts.viewer.loading}</p>}
        {value && <p>{summaryOf(value, texts)}</p>}
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

function summaryOf(comparison: Comparison, { changes }: Texts): string {
  if (comparison.kind !== "changes") return changes[comparison.kind];
  return changes.counted(comparison.added, comparison.removed);
}
