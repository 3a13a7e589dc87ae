import type { EarlierVersion, Term } from "@musette/client/terms";
import { areComparable, DocumentChanges } from "../comparison/document-changes";
import type { Texts } from "../texts";
import { documentSource, saved } from "../viewer/source";

export interface TextChangesProps {
  readonly term: Term;
  readonly former: EarlierVersion;
  readonly texts: Texts;
}

/** The old text against the new one, fetched and compared when somebody wants to see it. */
export function TextChanges({ term, former, texts }: TextChangesProps) {
  const { content: after, sha256, locale } = term;
  // The address of the earlier document, where the links are ours.
  const before = sha256 && content(after, sha256, former.sha256);
  const formerPdf = before && documentSource(before)?.pdf;
  return (
    <div className="mu-changes-body">
      {former.locale === locale ? (
        before && <DocumentChanges {...{ before, after, texts }} locale={locale ?? ""} />
      ) : (
        <p>{texts.changes.otherLanguage}</p>
      )}
      {formerPdf && (
        <a className="mu-changes-former" href={formerPdf} {...saved(term.title)}>
          {texts.changes.formerPdf}
        </a>
      )}
    </div>
  );
}

function content(after: string, sha256: string, former: string): string | undefined {
  if (!after.includes(sha256)) return undefined;
  const before = after.replace(sha256, former);
  return areComparable(before, after) ? before : undefined;
}
