import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { TextDifference } from "../comparison/text-difference";
import { useComparisonTexts } from "../comparison/texts/texts";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import type { DraftBody } from "./draft";

interface DraftDifferenceProps {
  readonly body: DraftBody;
  readonly former: PublishedTerm | undefined;
}

/** The differences between the uploaded texts and those of the replaced version. */
export function DraftDifference({ body, former }: DraftDifferenceProps) {
  const texts = useTermsTexts();
  const { thisDraft } = useComparisonTexts();
  const { tag } = useLanguage().language;
  const after = body.variants.flatMap(({ locale, document }) =>
    document ? [{ locale, sha256: document.sha256 }] : [],
  );
  if (!former || after.length === 0) return null;
  const before = texts.version(versionName(former, tag));
  return (
    <TextDifference before={former.variants} after={after} names={{ before, after: thisDraft }} />
  );
}

/** The same as a part of the form. */
export function DifferenceFields(props: DraftDifferenceProps) {
  const { title } = useComparisonTexts();
  const { body, former } = props;
  if (!former || !body.variants.some(({ document }) => document)) return null;
  return (
    <section className="card">
      <h2>{title}</h2>
      <DraftDifference {...props} />
    </section>
  );
}
