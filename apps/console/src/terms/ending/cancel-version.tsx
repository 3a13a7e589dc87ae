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
  const words = useEndingTexts();
  const { texts, language } = useLanguage();
  const { tag } = language;
  const minute = useMinute();
  const [isAsking, setAsking] = useState(false);
  const { done, undo } = useEnding(term);
  const coverage = useQuery({ ...coverageQuery(term.id), enabled: isAsking });
  const outstanding = coverage.data?.riders_outstanding;
  const effective = minute(term.effective_from);
  const confirm = async (breakGlass?: string) => {
    await cancelVersion(term, breakGlass);
    setAsking(false);
    await done(words.cancelled(title), undo.cancellation);
  };
  return (
    <>
      <p>{words.cancelHint(effective)}</p>
      <div>
        <Button kind="secondary" onClick={() => setAsking(true)}>
          {words.cancel}…
        </Button>
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.cancelTitle(title)}
        action={words.cancel}
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
        <p>{words.cancelText(effective)}</p>
        {term.material && outstanding !== undefined && (
          <p>
            <strong>{words.notAsked(outstanding, outstanding.toLocaleString(tag))}</strong>
          </p>
        )}
        <p>{term.replaces === undefined ? words.nothingInstead : words.formerStays}</p>
        <p className="note">{words.undoUntil(effective)}</p>
      </Confirm>
    </>
  );
}
