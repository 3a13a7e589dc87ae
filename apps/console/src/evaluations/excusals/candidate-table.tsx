import { StatusBadge } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { useMinute } from "../../language/use-day";
import { type Column, LongTable } from "../../table/long-table";
import whoStyles from "../../ui/who.module.css";
import styles from "../evaluations.module.css";
import { useEvaluationsTexts } from "../texts/texts";
import { useWorkZone } from "../use-work-zone";
import type { Candidate } from "./excusals-queries";
import { obstacleOf } from "./selection";
import { useExcusalsTexts } from "./texts/texts";

/** The evaluations that match. Each that can be excused has a box; the others say why they cannot. */
export function CandidateTable(props: {
  readonly items: readonly Candidate[];
  readonly deselected: ReadonlySet<string>;
  readonly onChange: (deselected: ReadonlySet<string>) => void;
}) {
  const texts = useEvaluationsTexts();
  const own = useExcusalsTexts();
  const toggle = (id: string) => {
    const next = new Set(props.deselected);
    if (!next.delete(id)) next.add(id);
    props.onChange(next);
  };
  const columns: readonly Column<Candidate>[] = [
    {
      id: "excuse",
      title: own.column,
      width: "28%",
      cell: (one) => {
        const obstacle = obstacleOf(one);
        if (obstacle) return <span className="note">{own.obstacles[obstacle]}</span>;
        return (
          <span className={styles.tick}>
            <input
              type="checkbox"
              aria-label={own.excuseOne(one.reference)}
              checked={!props.deselected.has(one.id)}
              onChange={() => toggle(one.id)}
            />
          </span>
        );
      },
    },
    {
      id: "work",
      title: texts.work,
      width: "34%",
      cell: (one) => (
        <div className={whoStyles.who}>
          <Link to="/evaluations/$evaluationId" params={{ evaluationId: one.id }} search={{}}>
            <bdi>{one.reference}</bdi>
          </Link>
          <Start candidate={one} />
        </div>
      ),
    },
    {
      id: "rider",
      title: texts.rider,
      width: "20%",
      cell: ({ user_id }) => <bdi className="mono">{user_id}</bdi>,
    },
    {
      id: "status",
      title: texts.status,
      width: "18%",
      cell: ({ status }) => (
        <div className={whoStyles.who}>
          <StatusBadge status={status} label={texts.statuses[status]} />
        </div>
      ),
    },
  ];
  return (
    <LongTable label={texts.title} columns={columns} rows={props.items} rowKey={({ id }) => id} />
  );
}

function Start({ candidate }: { readonly candidate: Candidate }) {
  const minute = useMinute(useWorkZone(candidate.market));
  return (
    <time className="note" dateTime={candidate.starts_at}>
      {minute(candidate.starts_at)}
    </time>
  );
}
