import type { Texts } from "../texts";
import type { Changes, Paragraph, Run } from "./compare";
import { ChangedRun, Legend, SHOWN_MAX, UnchangedParagraphs } from "./marks";

interface SideBySideProps {
  readonly comparison: Changes;
  /** Language of the text. */
  readonly locale: string;
  readonly texts: Texts;
  readonly names: { readonly before: string; readonly after: string };
}

/** A table with the changed paragraphs of both texts side by side. */
export function SideBySide({ comparison, locale, texts, names }: SideBySideProps) {
  const visible = comparison.paragraphs.slice(0, SHOWN_MAX);
  const isTruncated = comparison.paragraphs.length > visible.length;
  return (
    <>
      <Legend texts={texts} />
      <table className="mu-changes-beside">
        <thead>
          <tr>
            <th scope="col">{names.before}</th>
            <th scope="col">{names.after}</th>
          </tr>
        </thead>
        <tbody lang={locale}>
          {visible.map((paragraph, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the texts never change
            <Row key={index} paragraph={paragraph} texts={texts} />
          ))}
        </tbody>
      </table>
      {isTruncated && <p>{texts.changes.more}</p>}
      {!isTruncated && comparison.rest > 0 && (
        <UnchangedParagraphs count={comparison.rest} texts={texts} />
      )}
    </>
  );
}

function Row({ paragraph, texts }: { readonly paragraph: Paragraph; readonly texts: Texts }) {
  return (
    <>
      {paragraph.skipped > 0 && (
        <tr>
          <td colSpan={2}>
            <UnchangedParagraphs count={paragraph.skipped} texts={texts} />
          </td>
        </tr>
      )}
      <tr data-heading={paragraph.heading || undefined}>
        <Side paragraph={paragraph} without="added" texts={texts} />
        <Side paragraph={paragraph} without="removed" texts={texts} />
      </tr>
    </>
  );
}

/** One of the two texts, without the words that are only in the other. */
function Side(props: {
  readonly paragraph: Paragraph;
  readonly without: Run["kind"];
  readonly texts: Texts;
}) {
  const { paragraph, without, texts } = props;
  const runs = paragraph.runs.filter(({ kind }) => kind !== without);
  return (
    <td dir={paragraph.dir}>
      {runs.map((run, index) => (
        <ChangedRun
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts never change
          key={index}
          run={index === 0 ? { ...run, spaced: false } : run}
          texts={texts}
        />
      ))}
    </td>
  );
}
