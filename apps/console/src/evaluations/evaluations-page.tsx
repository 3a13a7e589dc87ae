import { StatusBadge } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useMay } from "../api/use-may";
import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import whoStyles from "../ui/who.module.css";
import { holderOf } from "./assignment";
import { assignmentsQuery } from "./assignments-queries";
import { DueChip } from "./due-chip";
import styles from "./evaluations.module.css";
import { EvaluationsFilter } from "./evaluations-filter";
import type { EvaluationsSearch } from "./evaluations-search";
import { type Evaluation, textFor } from "./model";
import { useEvaluationsTexts } from "./texts/texts";
import { useEvaluationPages } from "./use-queue";
import { useWorkZone } from "./use-work-zone";

/** The queue of reviewers and the list of dispatchers: those in discussion first, by due date. */
export function EvaluationsPage() {
  const texts = useEvaluationsTexts();
  return (
    <Page title={texts.title} intro={texts.intro}>
      <ForRoles task="evaluations">
        <Evaluations />
      </ForRoles>
    </Page>
  );
}

function Evaluations() {
  const texts = useEvaluationsTexts();
  const search = useSearch({ from: "/inside/evaluations" });
  const may = useMay();
  const pages = useEvaluationPages(search);
  const columns = useColumns(search);
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      {may("evaluate") && (
        <Link to="/evaluations/excuse" search={{}} className={styles.back}>
          {texts.excuseMany}
        </Link>
      )}
      <EvaluationsFilter search={search} />
      <PagedTable
        label={texts.title}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        shown={texts.shown}
        empty={
          <>
            <p>{isFiltered ? texts.nothing : texts.none}</p>
            <p className="note">{isFiltered ? texts.nothingHint : texts.noneHint}</p>
          </>
        }
      />
    </>
  );
}

function useColumns(search: EvaluationsSearch): readonly Column<Evaluation>[] {
  const texts = useEvaluationsTexts();
  const { tag } = useLanguage().language;
  return [
    {
      id: "due",
      title: texts.due,
      width: "15%",
      cell: ({ answer_due: due }) => (due ? <DueChip due={due} /> : "–"),
    },
    {
      id: "work",
      title: texts.work,
      width: "34%",
      cell: (evaluation) => (
        <div className={whoStyles.who}>
          <Link
            to="/evaluations/$evaluationId"
            params={{ evaluationId: evaluation.id }}
            search={search}
          >
            <bdi>{evaluation.subject.reference}</bdi>
          </Link>
          <span className="note">
            {texts.kinds[evaluation.subject.kind]} · <Start evaluation={evaluation} />
          </span>
        </div>
      ),
    },
    {
      id: "rider",
      title: texts.rider,
      width: "15%",
      cell: ({ user_id }) => <bdi className="mono">{user_id}</bdi>,
    },
    {
      id: "status",
      title: texts.status,
      width: "14%",
      cell: ({ id, status }) => (
        <div className={whoStyles.who}>
          <StatusBadge status={status} label={texts.statuses[status]} />
          {status === "IN_DISCUSSION" && <Working id={id} />}
        </div>
      ),
    },
    {
      id: "reason",
      title: texts.reason,
      width: "22%",
      cell: ({ reasons: [reason] }) => {
        const shown = reason && textFor(reason.text, tag);
        return shown ? (
          <span lang={shown.lang} dir="auto">
            {shown.text}
          </span>
        ) : (
          "–"
        );
      },
    },
  ];
}

/** Which reviewer works on the discussion. */
function Working({ id }: { readonly id: string }) {
  const texts = useEvaluationsTexts();
  const me = useQuery(meQuery).data?.user_id;
  const { data: assignments = [] } = useQuery(assignmentsQuery);
  const holder = holderOf(assignments, id, me, new Date());
  if (holder.kind === "none") return null;
  return (
    <span className="note">
      {holder.kind === "me" ? texts.mine : texts.inWork(`\u2068${holder.assignment.user_id}\u2069`)}
    </span>
  );
}

function Start({ evaluation }: { readonly evaluation: Evaluation }) {
  const zone = useWorkZone(evaluation.subject.market);
  const minute = useMinute(zone);
  const { starts_at: at } = evaluation.subject;
  return <time dateTime={at}>{minute(at)}</time>;
}
