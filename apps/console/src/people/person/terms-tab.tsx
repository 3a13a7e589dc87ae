import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMay } from "../../api/use-may";
import { timeZone, useInstant } from "../../language/dates";
import { endOfDay } from "../../language/days";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { type Column, LongTable } from "../../table/long-table";
import { AsOfField } from "../../ui/as-of/as-of-field";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import whoStyles from "../../ui/who.module.css";
import styles from "./person.module.css";
import { personQuery, standingQuery } from "./person-queries";
import { type State, standing, type TermStanding } from "./standing";
import { usePersonTexts } from "./texts/texts";

const TONES: Readonly<Record<State, "good" | "warning" | "bad" | undefined>> = {
  accepted: "good",
  outstanding: "warning",
  declined: "bad",
  withdrawn: "bad",
  undecided: undefined,
};

/** The terms that a person must agree to, and their decisions. */
export function TermsTab() {
  const texts = usePersonTexts();
  const { language } = useLanguage();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const { data: person } = useQuery(personQuery(userId));
  const { as_of: day } = useSearch({ from: "/inside/people/$userId/" });
  const navigate = useNavigate({ from: "/people/$userId" });
  const asOf = endOfDay(day);
  const mayReadDecisions = useMay()("personal");
  const query = useQuery(standingQuery(userId, asOf, mayReadDecisions));
  if (query.isPending) return <Skeleton />;
  if (query.isError) return <LoadFailed error={query.error} onRetry={query.refetch} />;
  const shown = query.data;
  const isTooEarly = asOf !== undefined && person !== undefined && person.created_at > asOf;
  const rows = isTooEarly ? [] : standing(shown, language.tag);
  const verdict = asOf
    ? { yes: texts.mightWork, no: texts.mightNotWork }
    : { yes: texts.mayWork, no: texts.mayNotWork };
  const isRider = person?.roles.includes("rider") ?? true;
  return (
    <>
      <AsOfField
        day={asOf && day}
        texts={texts}
        onChange={(next) =>
          void navigate({
            to: ".",
            search: next ? { as_of: next } : {},
            replace: true,
            resetScroll: false,
          })
        }
      />
      <p className={styles.verdictLine}>
        {isTooEarly ? (
          <span className="chip">{texts.notAddedThen}</span>
        ) : isRider ? (
          <span className="chip" data-tone={shown.mayWork ? "good" : "bad"}>
            {shown.mayWork ? verdict.yes : verdict.no}
          </span>
        ) : (
          <span className="chip">{texts.noRider}</span>
        )}
        <span className="note">{texts.zone(timeZone())}</span>
      </p>
      {isTooEarly ? null : rows.length === 0 ? (
        <div className="card calm">
          <p>{asOf ? texts.noTermsThen : texts.noTerms}</p>
          {!asOf && <p className="note">{texts.noTermsHint}</p>}
        </div>
      ) : (
        <TermsTable rows={rows} />
      )}
    </>
  );
}

function TermsTable({ rows }: { readonly rows: readonly TermStanding[] }) {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const columns: readonly Column<TermStanding>[] = [
    {
      id: "term",
      title: texts.term,
      width: "34%",
      cell: ({ term, title }) => (
        <div className={whoStyles.who}>
          <bdi className={styles.termTitle}>{title}</bdi>
          <span className="note">
            {term.mandatory ? texts.mandatory : texts.optional} · {texts.version(versionName(term))}
          </span>
        </div>
      ),
    },
    { id: "state", title: texts.state, width: "24%", cell: (row) => <StateChip row={row} /> },
    { id: "when", title: texts.when, width: "24%", cell: (row) => <When row={row} /> },
    {
      id: "receipt",
      title: texts.receipt,
      width: "18%",
      cell: ({ receiptId }) =>
        receiptId && (
          <Link to="/consents/verify" search={{ receipt: receiptId, user: userId }}>
            {texts.openReceipt}
          </Link>
        ),
    },
  ];
  return (
    <div className={styles.personTerms}>
      <LongTable
        label={texts.tabs.terms}
        columns={columns}
        rows={rows}
        rowKey={({ term }) => String(term.id)}
        isMore={false}
        isLoading={false}
        onMore={() => {}}
      />
    </div>
  );
}

function StateChip({ row }: { readonly row: TermStanding }) {
  const texts = usePersonTexts();
  const written = useInstant();
  return (
    <div className={whoStyles.who}>
      <span className="chip" data-tone={TONES[row.state]}>
        {texts.states[row.state]}
      </span>
      {row.isOutstanding && row.graceUntil && (
        <span className="note">{texts.grace(written(row.graceUntil))}</span>
      )}
      {row.inheritedFrom && row.state === "accepted" && (
        <span className="note">{texts.inherited(row.inheritedFrom, versionName(row.term))}</span>
      )}
    </div>
  );
}

function When({ row }: { readonly row: TermStanding }) {
  const texts = usePersonTexts();
  const written = useInstant();
  const { language } = useLanguage();
  if (!row.decidedAt) return null;
  const tongue = new Intl.DisplayNames([language.tag], { type: "language" });
  return (
    <div className={whoStyles.who}>
      <time dateTime={row.decidedAt}>{written(row.decidedAt)}</time>
      {row.version !== undefined && (
        <span className="note">
          {texts.version(row.version)}
          {row.locale && ` · ${tongue.of(row.locale)}`}
        </span>
      )}
    </div>
  );
}
