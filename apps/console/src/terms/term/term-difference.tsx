import { useQuery } from "@tanstack/react-query";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { TextDifference } from "../comparison/text-difference";
import { useComparisonTexts } from "../comparison/texts/texts";
import styles from "../terms.module.css";
import { type PublishedTerm, termQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

/** What this version changed in the text of the version that it replaces. */
export function TermDifference({ term }: { readonly term: PublishedTerm }) {
  const texts = useTermsTexts();
  const { title } = useComparisonTexts();
  const { tag } = useLanguage().language;
  const former = useQuery({
    ...termQuery(String(term.replaces)),
    enabled: term.replaces !== undefined,
  });
  if (!former.data) return null;
  const name = (of: PublishedTerm) => texts.version(versionName(of, tag));
  return (
    <section className={`card ${styles.termDifference}`}>
      <h2>{title}</h2>
      <TextDifference
        before={former.data.variants}
        after={term.variants}
        names={{ before: name(former.data), after: name(term) }}
      />
    </section>
  );
}
