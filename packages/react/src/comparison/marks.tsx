import type { Texts } from "../texts";
import type { Run } from "./compare";

/** Paragraphs beyond these are for the document itself. */
export const SHOWN_MAX = 80;

/** How what was added and what was removed look. */
export function Legend({ texts: { changes } }: { readonly texts: Texts }) {
  return (
    <p className="mu-changes-legend">
      <ins>{changes.addedSign}</ins> <del>{changes.removedSign}</del>
    </p>
  );
}

/** Few screen readers speak `ins` and `del` by themselves, so that they begin and end is said in words. */
export function ChangedRun({ run, texts }: { readonly run: Run; readonly texts: Texts }) {
  const space = run.spaced ? " " : "";
  if (run.kind === "same") return space + run.text;
  const Mark = run.kind === "added" ? "ins" : "del";
  const spoken = (words: string) => (
    <span className="mu-hidden" lang={texts.lang} dir={texts.dir}>
      {words}
    </span>
  );
  return (
    <>
      {space}
      <Mark>
        {spoken(run.kind === "added" ? texts.changes.added : texts.changes.removed)}
        {/* A word joiner: the sign must not be left alone at the end of a line. */}
        {`\u2060${run.text}`}
        {spoken(texts.changes.end)}
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
