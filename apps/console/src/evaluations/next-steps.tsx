import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "../api/me";
import { useMay } from "../api/use-may";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import pageStyles from "../ui/page.module.css";
import { AnswerForm } from "./answer-form";
import { AssignmentBar } from "./assignment-bar";
import { refreshEvaluations, withdrawDiscussion } from "./evaluations-queries";
import { MessageForm } from "./message-form";
import { type Discussion, type EvaluationDetail, isOwnDecision } from "./model";
import { ProblemText } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";
import { TransitionDialog, type TransitionKind } from "./transition-dialog";
import { useAssignment } from "./use-assignment";

/** The actions that this person may take now. The server decides whether they are allowed. */
export function NextSteps({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const texts = useEvaluationsTexts();
  const may = useMay();
  const { data: me } = useQuery(meQuery);
  const { id, status, discussion } = evaluation;
  const market = evaluation.subject.market ?? undefined;
  const mayReview = may("review", market);
  if (status !== "IN_DISCUSSION" || !discussion) return <Transitions evaluation={evaluation} />;
  if (!mayReview) return <p className="note">{texts.waitsForReviewer}</p>;
  const isOpener = discussion.opened_by === "reviewer" && isLastBy(evaluation, me?.user_id);
  return (
    <>
      {isOwnDecision(evaluation, me?.user_id) ? (
        <p className="card calm">{texts.problems.own_decision}</p>
      ) : (
        <Answer evaluation={evaluation} discussion={discussion} />
      )}
      <MessageForm id={id} />
      {isOpener && <Withdraw id={id} />}
    </>
  );
}

function Answer(props: { readonly evaluation: EvaluationDetail; readonly discussion: Discussion }) {
  const assignment = useAssignment(props.evaluation.id, true);
  return (
    <>
      <AssignmentBar assignment={assignment} />
      <AnswerForm {...props} assignment={assignment} />
    </>
  );
}

const isLastBy = ({ history }: EvaluationDetail, userId: string | undefined) =>
  userId !== undefined && history.at(-1)?.by.user_id === userId;

function Withdraw({ id }: { readonly id: string }) {
  const texts = useEvaluationsTexts();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={pageStyles.actions}>
      <Button kind="secondary" onClick={() => setOpen(true)}>
        {texts.withdraw}
      </Button>
      <Confirm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={texts.withdraw}
        action={texts.withdraw}
        explain={(error) => <ProblemText error={error} />}
        onConfirm={async () => {
          await withdrawDiscussion(id);
          toasts.say(texts.withdrawn);
          await refreshEvaluations(client);
        }}
      >
        <p>{texts.withdrawHint}</p>
      </Confirm>
    </div>
  );
}

/** The transitions of dispatchers, and the discussion that a reviewer opens. */
function Transitions({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const texts = useEvaluationsTexts();
  const may = useMay();
  const [kind, setKind] = useState<TransitionKind>();
  const market = evaluation.subject.market ?? undefined;
  const kinds = kindsFor(evaluation, may("evaluate", market), may("review", market));
  if (kinds.length === 0) return null;
  return (
    <div className={pageStyles.actions}>
      {kinds.map((one) => (
        <Button key={one} kind="secondary" onClick={() => setKind(one)}>
          {texts.transitions[one]}
        </Button>
      ))}
      {kind && (
        <TransitionDialog
          key={kind}
          kind={kind}
          evaluation={evaluation}
          onClose={() => setKind(undefined)}
        />
      )}
    </div>
  );
}

/** Returns the transitions of the table in `docs/decisions.md` for these rights. */
export function kindsFor(
  { status, finalised_at: final }: EvaluationDetail,
  mayEvaluate: boolean,
  mayReview: boolean,
): readonly TransitionKind[] {
  if (final) return [];
  const kinds: TransitionKind[] = [];
  if (mayEvaluate && (status === "PENDING" || status === "NO_SHOW")) kinds.push("evaluate");
  if (mayEvaluate && status === "PENDING") kinds.push("noShow");
  if ((mayEvaluate || mayReview) && status === "EVALUATED") kinds.push("reject");
  if (mayReview && ["EVALUATED", "NO_SHOW", "ACCEPTED"].includes(status)) kinds.push("discuss");
  return kinds;
}
