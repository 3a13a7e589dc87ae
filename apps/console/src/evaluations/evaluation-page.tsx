import { HttpError } from "@musette/client/http";
import { Button, StatusBadge } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { useShortcut } from "../keyboard/use-shortcut";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import pageStyles from "../ui/page.module.css";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { Comparison } from "./comparison";
import { Decision } from "./decision";
import { DiscussionCard } from "./discussion-card";
import { DueChip } from "./due-chip";
import styles from "./evaluations.module.css";
import { evaluationQuery } from "./evaluations-queries";
import { History } from "./history";
import { type EvaluationDetail, following, preceding } from "./model";
import { NextSteps } from "./next-steps";
import { useEvaluationsTexts } from "./texts/texts";
import { useEvaluationPages } from "./use-queue";

/** One evaluation: the figures, the reasons, the rider's objection, the history, and the answer. */
export function EvaluationPage() {
  const texts = useEvaluationsTexts();
  const { evaluationId: id } = useParams({ from: "/inside/evaluations/$evaluationId" });
  const search = useSearch({ from: "/inside/evaluations/$evaluationId" });
  const query = useQuery(evaluationQuery(id));
  const isAbsent =
    query.error instanceof HttpError && [400, 404].includes(query.error.status) && !query.data;
  const subject = query.data?.subject;
  return (
    <Page
      // The title of another evaluation gets the focus, so that screen readers announce it.
      key={id}
      title={subject?.reference ?? texts.evaluation}
      intro={subject && texts.kinds[subject.kind]}
    >
      <Link to="/evaluations" search={search} className={styles.back}>
        {texts.back}
      </Link>
      <ForRoles task="evaluations">
        {query.isPending && <Skeleton rows={6} />}
        {isAbsent && <p className="card calm">{texts.notHere}</p>}
        {query.isError && !isAbsent && <LoadFailed error={query.error} onRetry={query.refetch} />}
        {query.data && <Content key={id} evaluation={query.data} />}
      </ForRoles>
    </Page>
  );
}

function Content({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const texts = useEvaluationsTexts();
  const may = useMay();
  const { status, answer_due: due, user_id: userId, subject } = evaluation;
  return (
    <>
      <div className={styles.head}>
        <StatusBadge status={status} label={texts.statuses[status]} />
        {due && <DueChip due={due} />}
        <span>
          {texts.rider}{" "}
          {may("personal") ? (
            <Link to="/people/$userId" params={{ userId }} className="mono">
              <bdi>{userId}</bdi>
            </Link>
          ) : (
            <bdi className="mono">{userId}</bdi>
          )}
        </span>
        {subject.market && <bdi className="note">{subject.market}</bdi>}
        <Neighbours id={evaluation.id} />
      </div>
      <Comparison evaluation={evaluation} />
      <Decision evaluation={evaluation} />
      {evaluation.discussion && (
        <DiscussionCard evaluation={evaluation} discussion={evaluation.discussion} />
      )}
      <NextSteps evaluation={evaluation} />
      <History history={evaluation.history} />
    </>
  );
}

/** Opens the next and the previous evaluation of the list. */
function Neighbours({ id }: { readonly id: string }) {
  const texts = useEvaluationsTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: "/inside/evaluations/$evaluationId" });
  const list = useEvaluationPages(search).data?.pages.flatMap(({ items }) => items) ?? [];
  const next = list[list.findIndex((one) => one.id === id) + 1] ?? following(list, id);
  const previous = preceding(list, id);
  const open = (evaluationId: string | undefined) => {
    if (evaluationId === undefined) return;
    void navigate({ to: "/evaluations/$evaluationId", params: { evaluationId }, search });
  };
  useShortcut({ key: "j", label: texts.next, run: () => open(next?.id) });
  useShortcut({ key: "k", label: texts.previous, run: () => open(previous?.id) });
  return (
    <div className={`${pageStyles.actions} ${styles.neighbours}`}>
      <Button kind="secondary" disabled={!previous} onClick={() => open(previous?.id)}>
        {texts.previous}
      </Button>
      <Button kind="secondary" disabled={!next} onClick={() => open(next?.id)}>
        {texts.next}
      </Button>
    </div>
  );
}
