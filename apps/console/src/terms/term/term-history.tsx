import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { inLanguage, summaryIn } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { useDay } from "../../language/use-day";
import { versionName } from "../../language/version-name";
import { StatusChip } from "../status-chip";
import styles from "../terms.module.css";
import { type PublishedTerm, termsQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { versionsOf } from "./versions";

/** All versions of this document, newest first. Published versions remain readable. */
export function TermHistory({ term }: { readonly term: PublishedTerm }) {
  const texts = useTermsTexts();
  const { tag } = useLanguage().language;
  const day = useDay();
  const published = useInfiniteQuery(termsQuery({ type: term.type }));
  const all = published.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="card">
      <h2>{texts.term.history}</h2>
      <ol className={styles.termHistory}>
        {versionsOf(term, all).map((version) => (
          <li key={version.id} aria-current={version.id === term.id || undefined}>
            <div>
              <Link to="/terms/$termId" params={{ termId: String(version.id) }}>
                {texts.version(versionName(version, tag))}
              </Link>{" "}
              <StatusChip status={version.status} />
            </div>
            <p>
              <bdi>{inLanguage(version.variants, tag)?.title}</bdi>
              <span className="note">
                {" · "}
                <time dateTime={version.effective_from}>
                  {texts.from(day(version.effective_from))}
                </time>
              </span>
            </p>
            {summaryIn(version, tag) && (
              <p className="note">
                <bdi>{summaryIn(version, tag)}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
