import type { Texts } from "../texts";
import type { Changes, Paragraph } from "./compare";
import { ChangedRun, Legend, SHOWN_MAX, UnchangedParagraphs } from "./marks";

interface InlineProps {
  readonly comparison: Changes;
  /** Language of the text. */
  readonly locale: string;
  readonly texts: Texts;
}

/** The new text. Removed words are marked at their old position. */
export function Inline({ comparison, locale, texts }: InlineProps) {
  const visible = comparison.paragraphs.slice(0, SHOWN_MAX);
  const isTruncated = comparison.paragraphs.length > visible.length;
  return (
    <>
      <Legend texts={texts} />
      <div className="mu-changes-text" lang={locale}>
        {visible.map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts never change
          <ChangedParagraph key={index} paragraph={paragraph} texts={texts} />
        ))}
      </div>
      {isTruncated && <p>{texts.changes.more}</p>}
      {!isTruncated && comparison.rest > 0 && (
        <UnchangedParagraphs count={comparison.rest} texts={texts} />
      )}
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
