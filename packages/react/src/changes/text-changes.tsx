import type { EarlierVersion, Term } from "@musette/client/terms";
import { useState } from "react";
import type { Texts } from "../texts";
import { Button } from "../ui";
import { type Block, loadJson, type Manifest } from "../viewer/manifest";
import { documentSource, saved } from "../viewer/source";
import { useAnswer } from "../viewer/use-answer";
import { type Comparison, compare, type Paragraph, type Run } from "./compare";

export interface TextChangesProps {
  readonly term: Term;
  readonly former: EarlierVersion;
  readonly texts: Texts;
}

/** The old text against the new one, fetched and compared when somebody wants to see it. */
export function TextChanges({ term, former, texts }: TextChangesProps) {
  const [attempt, setAttempt] = useState(0);
  const sources = sourcesOf(term, former);
  const sameLanguage = former.locale === term.locale;
  const key = sameLanguage && sources ? `${former.sha256} ${term.sha256} ${attempt}` : undefined;
  const { value, error } = useAnswer(key, async () => {
    const [before, after] = await Promise.all(sources?.map(blocksOf) ?? []);
    return compare(before ?? [], after ?? []);
  });
  const words = texts.changes;
  return (
    <div className="mu-changes-body">
      {sameLanguage ? (
        <div role="status">
          {error !== undefined && <p>{words.failed}</p>}
          {!value && error === undefined && <p>{texts.viewer.loading}</p>}
          {value && <p>{statement(value, texts)}</p>}
        </div>
      ) : (
        <p>{words.otherLanguage}</p>
      )}
      {error !== undefined && (
        <Button kind="secondary" onClick={() => setAttempt(attempt + 1)}>
          {texts.viewer.tryAgain}
        </Button>
      )}
      {value?.kind === "changes" && <Changes comparison={value} term={term} texts={texts} />}
      {sources && (
        <a className="mu-changes-former" href={sources[0].pdf} {...saved(term.title)}>
          {words.formerPdf}
        </a>
      )}
    </div>
  );
}

/** The addresses of the earlier document and the one in effect, where the links are ours. */
function sourcesOf({ content, sha256 }: Term, former: EarlierVersion) {
  if (!sha256 || !content.includes(sha256)) return undefined;
  const before = documentSource(content.replace(sha256, former.sha256));
  const after = documentSource(content);
  return before?.manifest && after?.manifest ? ([before, after] as const) : undefined;
}

async function blocksOf({ manifest = "" }: { readonly manifest?: string }) {
  const { reading } = await loadJson<Manifest>(manifest, fetch);
  const url = new URL(reading, manifest).href;
  return (await loadJson<{ readonly blocks: readonly Block[] }>(url, fetch)).blocks;
}

function statement(comparison: Comparison, { changes }: Texts): string {
  if (comparison.kind !== "changes") return changes[comparison.kind];
  return changes.counted(comparison.added, comparison.removed);
}

/** Paragraphs beyond these are for the document itself. */
const SHOWN_MAX = 80;

function Changes(props: {
  readonly comparison: Comparison & { readonly kind: "changes" };
  readonly term: Term;
  readonly texts: Texts;
}) {
  const { comparison, term, texts } = props;
  const words = texts.changes;
  const shown = comparison.paragraphs.slice(0, SHOWN_MAX);
  const cut = comparison.paragraphs.length > shown.length;
  return (
    <>
      <p className="mu-changes-legend">
        <ins>{words.addedSign}</ins> <del>{words.removedSign}</del>
      </p>
      <div className="mu-changes-text" lang={term.locale}>
        {shown.map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts never change
          <ChangedParagraph key={index} paragraph={paragraph} texts={texts} />
        ))}
      </div>
      {cut && <p>{words.more}</p>}
      {!cut && comparison.rest > 0 && <UnchangedParagraphs count={comparison.rest} texts={texts} />}
    </>
  );
}

function ChangedParagraph(props: { readonly paragraph: Paragraph; readonly texts: Texts }) {
  const { paragraph, texts } = props;
  return (
    <>
      {paragraph.skipped > 0 && <UnchangedParagraphs count={paragraph.skipped} texts={texts} />}
      <p dir={paragraph.dir} data-heading={paragraph.heading || undefined}>
        {paragraph.runs.map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts never change
          <ChangedRun key={index} run={run} texts={texts} />
        ))}
      </p>
    </>
  );
}

/** Few screen readers speak `ins` and `del` by themselves, so that they begin and end is said in words. */
function ChangedRun({ run, texts }: { readonly run: Run; readonly texts: Texts }) {
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

function UnchangedParagraphs({ count, texts }: { readonly count: number; readonly texts: Texts }) {
  return (
    <p className="mu-changes-skipped" lang={texts.lang} dir={texts.dir}>
      {texts.changes.unchanged(count)}
    </p>
  );
}
