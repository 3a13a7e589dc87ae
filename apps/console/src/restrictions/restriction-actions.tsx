import { newIdempotencyKey } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import pageStyles from "../ui/page.module.css";
import { TextArea } from "../ui/text-area";
import { AnswerReview } from "./answer-review";
import { RestrictionProblem } from "./restriction-problem";
import {
  approveProposal,
  decideProposal,
  liftRestriction,
  type RestrictionDetail,
  refreshRestrictions,
} from "./restrictions-queries";
import { useRestrictionsTexts } from "./texts/texts";

type Act = "approve" | "impose" | "dismiss" | "lift";

/** The actions that a reviewer may take now. The server decides whether they are allowed. */
export function RestrictionActions({ restriction }: { readonly restriction: RestrictionDetail }) {
  const texts = useRestrictionsTexts();
  const may = useMay();
  const [act, setAct] = useState<Act>();
  const { status, review, approvals, approvals_needed: needed, market } = restriction;
  if (!may("review", market ?? undefined)) return null;
  const acts: readonly Act[] =
    status === "PROPOSED"
      ? [...(needed > 0 ? (["approve"] as const) : []), "impose", "dismiss"]
      : status === "IMPOSED"
        ? ["lift"]
        : [];
  return (
    <>
      {status === "PROPOSED" && needed > 0 && (
        <p className="note">{texts.approvals(String(approvals.length), String(needed))}</p>
      )}
      {review && review.outcome === null && <AnswerReview restriction={restriction} />}
      {acts.length > 0 && (
        <div className={pageStyles.actions}>
          {acts.map((one) => (
            <Button key={one} kind="secondary" onClick={() => setAct(one)}>
              {texts.acts[one]}
            </Button>
          ))}
        </div>
      )}
      {act && (
        <ActDialog
          key={act}
          act={act}
          restriction={restriction}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  );
}

function ActDialog(props: {
  readonly act: Act;
  readonly restriction: RestrictionDetail;
  readonly onClose: () => void;
}) {
  const texts = useRestrictionsTexts();
  const client = useQueryClient();
  const { act, restriction } = props;
  const { id, sha256 } = restriction;
  const [message, setMessage] = useState("");
  const [key] = useState(newIdempotencyKey);
  const run = async () => {
    if (act === "approve") await approveProposal(id, sha256);
    else if (act === "lift") await liftRestriction(id, message.trim(), key);
    else await decideProposal(id, act, key);
    toasts.say(texts.saved);
    await refreshRestrictions(client);
  };
  return (
    <Confirm
      open
      onClose={props.onClose}
      title={texts.acts[act]}
      action={texts.acts[act]}
      isDangerous={act === "impose"}
      explain={(error) => <RestrictionProblem error={error} />}
      onConfirm={run}
    >
      <p>{texts.actHints[act]}</p>
      {act === "lift" && (
        <TextArea label={texts.messageToRider} value={message} onChange={setMessage} />
      )}
    </Confirm>
  );
}
