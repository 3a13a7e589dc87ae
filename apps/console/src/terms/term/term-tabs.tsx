import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../../api/use-may";
import tabStyles from "../../ui/tabs.module.css";
import { StatusChip } from "../status-chip";
import styles from "../terms.module.css";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

/** The pages of one published version. */
export function TermTabs(props: {
  readonly term: PublishedTerm;
  /** The actions. */
  readonly children?: ReactNode;
}) {
  const { term, children } = props;
  const texts = useTermsTexts();
  const may = useMay();
  const isNotice = term.kind === "notice";
  const params = { termId: String(term.id) };
  return (
    <>
      <div className={styles.termHead}>
        <p className={styles.termChips}>
          <StatusChip status={term.status} />
          <span className="chip">
            {isNotice ? texts.notice : term.mandatory ? texts.mandatory : texts.optional}
          </span>
          <bdi className="mono note">{term.type}</bdi>
        </p>
        {children}
      </div>
      <nav className={tabStyles.tabs} aria-label={texts.term.tabs}>
        <Link to="/terms/$termId" params={params} activeOptions={{ exact: true }}>
          {texts.term.document}
        </Link>
        {may("company data") && (
          <Link to={isNotice ? "/terms/$termId/reach" : "/terms/$termId/coverage"} params={params}>
            {isNotice ? texts.term.reach : texts.term.coverage}
          </Link>
        )}
      </nav>
    </>
  );
}
