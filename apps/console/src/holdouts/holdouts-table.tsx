import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Holdout } from "../configuration/document/document";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import { holdoutResultsQuery } from "../results/results-query";
import { useResultsTexts } from "../results/texts/texts";
import { type Column, LongTable } from "../table/long-table";
import skeletonStyles from "../ui/skeleton.module.css";
import { phaseOf } from "./draft";
import { PhaseChip } from "./phase-chip";
import { useHoldoutsTexts } from "./texts/texts";
import { useHoldoutSummary } from "./use-holdout-summary";

interface TableProps {
  readonly rows: readonly Holdout[];
  readonly env: string;
  readonly now: Date;
  readonly isLoading: boolean;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

export function HoldoutsTable({ env, now, ...table }: TableProps) {
  const texts = useHoldoutsTexts();
  const { appliesTo, toCome, percent } = useHoldoutSummary();
  const columns: readonly Column<Holdout>[] = [
    {
      id: "key",
      title: texts.key,
      width: "26%",
      isSortable: true,
      cell: ({ key, description }) => (
        <>
          <Link to="/holdouts/$key" params={{ key }} className={styles.rowLink}>
            <bdi>{key}</bdi>
          </Link>
          {description && (
            <small className="note" dir="auto">
              {description}
            </small>
          )}
        </>
      ),
    },
    {
      id: "phase",
      title: texts.phase,
      width: "20%",
      isSortable: true,
      cell: (holdout) => (
        <span className={styles.chips}>
          <PhaseChip phase={phaseOf(holdout, now)} />
          <small className="note">{toCome(holdout, now)[0]}</small>
        </span>
      ),
    },
    {
      id: "percent",
      title: texts.size,
      width: "13%",
      isSortable: true,
      cell: (holdout) => percent(holdout.percent),
    },
    {
      id: "applies",
      title: texts.applies,
      width: "25%",
      cell: (holdout) => <span>{appliesTo(holdout)}</span>,
    },
    {
      id: "people",
      title: texts.people,
      width: "16%",
      cell: ({ key }) => <People env={env} name={key} />,
    },
  ];
  return (
    <LongTable
      label={texts.title}
      columns={columns}
      rowKey={({ key }) => key}
      isMore={false}
      onMore={() => {}}
      {...table}
    />
  );
}

function People({ env, name }: { readonly env: string; readonly name: string }) {
  const { warnings } = useResultsTexts();
  const { language } = useLanguage();
  const { data } = useQuery({ ...holdoutResultsQuery(env, name, {}), refetchInterval: false });
  if (!data) return <span className={skeletonStyles.bar} aria-hidden="true" />;
  return (
    <span className={styles.chips}>
      {data.units.toLocaleString(language.tag)}
      {data.warnings.map((warning) => (
        <span key={warning} className="chip" data-tone="bad">
          {warnings[warning]}
        </span>
      ))}
    </span>
  );
}
