import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FlagLink } from "../configuration/document/flag-link";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import { experimentResultsQuery } from "../results/results-query";
import { useResultsTexts } from "../results/texts/texts";
import { type Column, LongTable } from "../table/long-table";
import skeletonStyles from "../ui/skeleton.module.css";
import type { PlacedExperiment } from "./of-document";
import { StatusChip } from "./status-chip";
import { useExperimentsTexts } from "./texts/texts";

interface TableProps {
  readonly rows: readonly PlacedExperiment[];
  readonly env: string;
  readonly isLoading: boolean;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

export function ExperimentsTable({ env, ...table }: TableProps) {
  const texts = useExperimentsTexts();
  const columns: readonly Column<PlacedExperiment>[] = [
    {
      id: "key",
      title: texts.key,
      width: "33%",
      isSortable: true,
      cell: ({ experiment }) => (
        <>
          <Link to="/experiments/$key" params={{ key: experiment.key }} className={styles.rowLink}>
            <bdi>{experiment.key}</bdi>
          </Link>
          {experiment.hypothesis && (
            <small className="note" dir="auto">
              {experiment.hypothesis}
            </small>
          )}
        </>
      ),
    },
    {
      id: "status",
      title: texts.status,
      width: "17%",
      isSortable: true,
      cell: (placed) => <State {...placed} />,
    },
    {
      id: "flag",
      title: texts.flag,
      width: "18%",
      isSortable: true,
      cell: ({ flag }) => <FlagLink flag={flag.key} />,
    },
    {
      id: "people",
      title: texts.people,
      width: "32%",
      cell: ({ experiment }) => <People env={env} name={experiment.key} />,
    },
  ];
  return (
    <LongTable
      label={texts.title}
      columns={columns}
      rowKey={({ experiment }) => experiment.key}
      isMore={false}
      onMore={() => {}}
      {...table}
    />
  );
}

function State({ experiment, flag }: PlacedExperiment) {
  const texts = useExperimentsTexts();
  const { language } = useLanguage();
  return (
    <span className={styles.chips}>
      <StatusChip status={experiment.status} />
      {experiment.status === "running" && !flag.on && (
        <span className="chip" data-tone="warning">
          {texts.flagOff}
        </span>
      )}
      <small className="note">{texts.phase(experiment.phase.toLocaleString(language.tag))}</small>
    </span>
  );
}

/** Fetched only for visible rows: each is a count over all participants. */
function People({ env, name }: { readonly env: string; readonly name: string }) {
  const texts = useResultsTexts();
  const { language } = useLanguage();
  const { data } = useQuery({ ...experimentResultsQuery(env, name, {}), refetchInterval: false });
  if (!data) return <span className={skeletonStyles.bar} aria-hidden="true" />;
  return (
    <span className={styles.chips}>
      {data.units.toLocaleString(language.tag)}
      {data.warnings.map((warning) => (
        <span key={warning} className="chip" data-tone="bad">
          {texts.warnings[warning]}
        </span>
      ))}
    </span>
  );
}
