import type { Texts } from "../texts";
import type { Run } from "./compare";

/** The maximum number of paragraphs to show. For more the user opens the document. */
export const SHOWN_MAX = 80;

/** The legend for added and removed text. */
export function Legend({ texts: { changes } }: { readonly texts: Texts }) {
  return (
    <p className="mu-changes-legend">
      <ins>{changes.addedSign}</ins> <del>{changes.removedSign}</del>
    </p>
  );
}

/** A run of text. Few screen readers announce `ins` and `del`, so hidden text marks their start and end. */
export function ChangedRun({ run, texts }: { readonly run: Run; readonly texts: Texts }) {
  const space = run.spaced ? " " : "";
  if (run.kind === "same") return space + run.text;
  const Mark = run.kind === "added" ? "ins" : "del";
  const hiddenText = (text: string) => (
    <span className="mu-hidden" lang={texts.lang} dir={texts.dir}>
      {text}
    </span>
  );
  return (
    <>
      {space}
      <Mark>
        {hiddenText(run.kind === "added" ? texts.changes.added : texts.changes.removed)}
        {/* A word joiner, so that the sign is never alone at the end of a line. */}
        {`\u2060${run.text}`}
        {hiddenText(texts.changes.end)}
      </Mark>
    </>
  );
}

export function UnchangedParagraphs({
  count,
  texts,
}: {
  readonly count: number;
  readonly texts: Texts;
}) {
  return (
    <p className="mu-changes-skipped" lang={texts.lang} dir={texts.dir}>
      {texts.changes.unchanged(count)}
    </p>
  );
}
