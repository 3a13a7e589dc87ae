import type { EarlierVersion, Term } from "@musette/client/terms";
import { areComparable, DocumentChanges } from "../comparison/document-changes";
import type { Texts } from "../texts";
import { documentSource, downloadAttributes } from "../viewer/source";

export interface TextChangesProps {
  readonly term: Term;
  readonly former: EarlierVersion;
  readonly texts: Texts;
}

/** A comparison of the old text with the new one. Loads and compares them when the user opens it. */
export function TextChanges({ term, former, texts }: TextChangesProps) {
  const { content: after, sha256, locale } = term;
  // The address of the earlier document, if the links belong to a Musette server.
  const before = sha256 && formerContent(after, sha256, former.sha256);
  const formerPdf = before && documentSource(before)?.pdf;
  return (
    <div className="mu-changes-body">
      {former.locale === locale ? (
        before && <DocumentChanges {...{ before, after, texts }} locale={locale ?? ""} />
      ) : (
        <p>{texts.changes.otherLanguage}</p>
      )}
      {formerPdf && (
        <a className="mu-changes-former" href={formerPdf} {...downloadAttributes(term.title)}>
          {texts.changes.formerPdf}
        </a>
      )}
    </div>
  );
}

function formerContent(after: string, sha256: string, former: string): string | undefined {
  if (!after.includes(sha256)) return undefined;
  const before = after.replace(sha256, former);
  return areComparable(before, after) ? before : undefined;
}
