import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { approvalRequired } from "../../api/approval-required";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { ProposeInstead } from "../../ui/propose-instead";
import { coverageQuery } from "../coverage/coverage-query";
import type { PublishedTerm } from "../terms-query";
import { cancelVersion } from "./ending-calls";
import { useEndingTexts } from "./texts/texts";
import { useEnding } from "./use-ending";

/** Cancels a scheduled version, which then never takes effect. */
export function CancelVersion(props: { readonly term: PublishedTerm; readonly title: string }) {
  const { term, title } = props;
  const endingTexts = useEndingTexts();
  const { texts, language } = useLanguage();
  const { tag } = language;
  const minute = useMinute();
  const [isAsking, setAsking] = useState(false);
  const { announce, undo } = useEnding(term);
  const coverage = useQuery({ ...coverageQuery(term.id), enabled: isAsking });
  const outstanding = coverage.data?.riders_outstanding;
  const effective = minute(term.effective_from);
  const confirm = async (breakGlass?: string) => {
    await cancelVersion(term, breakGlass);
    setAsking(false);
    await announce(endingTexts.cancelled(title), undo.cancellation);
  };
  return (
    <>
      <p>{endingTexts.cancelHint(effective)}</p>
      <div>
        <Button kind="secondary" onClick={() => setAsking(true)}>
          {endingTexts.cancel}…
        </Button>
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={endingTexts.cancelTitle(title)}
        action={endingTexts.cancel}
        onConfirm={() => confirm()}
        explain={(error) =>
          approvalRequired(error) && (
            <ProposeInstead
              error={error}
              act={{ act: "cancel_term", term_id: term.id }}
              onBreakGlass={confirm}
              onProposed={() => {
                setAsking(false);
                toasts.say(texts.approval.proposed);
              }}
            />
          )
        }
      >
        <p>{endingTexts.cancelText(effective)}</p>
        {term.material && outstanding !== undefined && (
          <p>
            <strong>{endingTexts.notAsked(outstanding, outstanding.toLocaleString(tag))}</strong>
          </p>
        )}
        <p>{term.replaces === undefined ? endingTexts.nothingInstead : endingTexts.formerStays}</p>
        <p className="note">{endingTexts.undoUntil(effective)}</p>
      </Confirm>
    </>
  );
}
