import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Paged } from "../api/pages";
import { useInstant } from "../language/dates";
import { languageName } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import whoStyles from "../ui/who.module.css";
import styles from "./consents.module.css";
import { titleOf } from "./consents-filter";
import { type Decision, publishedTermsQuery } from "./consents-queries";
import { DecisionChip } from "./decision-chip";
import { useConsentsTexts } from "./texts/texts";

interface DecisionsTableProps {
  readonly pages: UseInfiniteQueryResult<InfiniteData<Paged<Decision>>>;
  readonly empty: ReactNode;
  /** Hides the column with the person. */
  readonly ofOnePerson?: boolean;
}

export function DecisionsTable({ pages, empty, ofOnePerson = false }: DecisionsTableProps) {
  const texts = useConsentsTexts();
  const columns = useColumns();
  return (
    <div className={styles.decisions} data-stale={pages.isPlaceholderData || undefined}>
      <PagedTable
        label={texts.tabs.decisions}
        columns={ofOnePerson ? columns.filter(({ id }) => id !== "who") : columns}
        pages={pages}
        rowKey={({ receipt_id, terms_and_conditions_id: term }) => `${receipt_id} ${term}`}
        empty={empty}
        shown={texts.shown}
        isPage={!ofOnePerson}
      />
    </div>
  );
}

function useColumns(): readonly Column<Decision>[] {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { tag } = useLanguage().language;
  const terms = useQuery(publishedTermsQuery).data?.items ?? [];
  // The title of a decision is in the language of its text, which has a column.
  const titles = new Map(terms.map((term) => [term.id, titleOf(term, tag)]));
  return [
    {
      id: "when",
      title: texts.recorded,
      width: "20%",
      cell: ({ recorded_at: at, consented_at }) => (
        <time dateTime={at} title={texts.onDevice(consented_at)}>
          {written(at)}
        </time>
      ),
    },
    { id: "who", title: texts.who, width: "15%", cell: (decision) => <Who {...decision} /> },
    {
      id: "term",
      title: texts.term,
      width: "25%",
      cell: ({ title, terms_and_conditions_id: id, version, label, type }) => (
        <div className={whoStyles.who}>
          <bdi>{titles.get(id) ?? (title || texts.termNumber(String(id)))}</bdi>
          <span className="note">
            {texts.version(versionName({ version, label }))} · <bdi>{type}</bdi>
          </span>
        </div>
      ),
    },
    {
      id: "language",
      title: texts.textLanguage,
      width: "10%",
      cell: ({ language }) => language && languageName(language, tag),
    },
    {
      id: "decision",
      title: texts.decision,
      width: "13%",
      cell: ({ decision }) => <DecisionChip decision={decision} />,
    },
    {
      id: "evidence",
      title: texts.evidence,
      width: "17%",
      cell: ({ evidence, receipt_id, user_id }) => (
        <div className={whoStyles.who}>
          <Link
            to="/consents/verify"
            search={{ receipt: receipt_id, ...(user_id && { user: user_id }) }}
          >
            {texts.receipt}
          </Link>
          <span className="note">{texts.evidences[evidence] ?? evidence}</span>
        </div>
      ),
    },
  ];
}

function Who({ user_id, user_type }: Decision) {
  const texts = useConsentsTexts();
  if (user_id) {
    return (
      <Link to="/people/$userId" params={{ userId: user_id }} className="mono">
        <bdi>{user_id}</bdi>
      </Link>
    );
  }
  return <span className="note">{user_type === "APPLICANT" ? texts.applicant : texts.erased}</span>;
}
