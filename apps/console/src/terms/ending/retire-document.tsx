import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { approvalRequired } from "../../api/approval-required";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { ProposeInstead } from "../../ui/propose-instead";
import { coverageQuery } from "../coverage/coverage-query";
import { Choice } from "../draft/choice";
import { InstantField } from "../draft/date-fields";
import { midnight } from "../draft/default-dates";
import type { PublishedTerm } from "../terms-query";
import { retireDocument } from "./ending-calls";
import { useEndingTexts } from "./texts/texts";
import { useEnding } from "./use-ending";

/** Retires a document: riders no longer need to agree to it, but their agreements are kept. */
export function RetireDocument(props: { readonly term: PublishedTerm; readonly title: string }) {
  const { term, title } = props;
  const endingTexts = useEndingTexts();
  const { texts, language } = useLanguage();
  const { tag } = language;
  const minute = useMinute();
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  // Tomorrow, so that it can be undone.
  const [at, setAt] = useState<string | undefined>(() => midnight(1));
  const { announce, undo } = useEnding(term);
  const coverage = useQuery({
    ...coverageQuery(term.id),
    enabled: isAsking && term.kind !== "notice",
  });
  const written = (count: number) => count.toLocaleString(tag);
  const confirm = async (breakGlass?: string) => {
    await retireDocument(term, at, breakGlass);
    setAsking(false);
    if (at === undefined) await announce(endingTexts.retired(title));
    else await announce(endingTexts.retiredFrom(title, minute(at)), undo.retirement);
  };
  return (
    <>
      <p>{endingTexts.retireHint}</p>
      <div>
        <Button kind="secondary" onClick={() => setAsking(true)}>
          {endingTexts.retire}…
        </Button>
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={endingTexts.retireTitle(title)}
        action={endingTexts.retire}
        isDangerous={at === undefined}
        onConfirm={() => confirm()}
        explain={(error) =>
          approvalRequired(error) && (
            <ProposeInstead
              error={error}
              act={{ act: "retire_term", term_id: term.id, ...(at !== undefined && { at }) }}
              onBreakGlass={confirm}
              onProposed={() => {
                setAsking(false);
                toasts.say(texts.approval.proposed);
              }}
            />
          )
        }
      >
        <p>{endingTexts.retireText}</p>
        {coverage.data && (
          <ul>
            <li>
              {endingTexts.noLongerAsked(
                coverage.data.riders_outstanding,
                written(coverage.data.riders_outstanding),
              )}
            </li>
            <li>{endingTexts.stays(coverage.data.accepted, written(coverage.data.accepted))}</li>
          </ul>
        )}
        <Choice
          legend={endingTexts.when}
          id={id}
          chosen={at === undefined ? "now" : "at"}
          onChoose={(value) => setAt(value === "at" ? midnight(1) : undefined)}
          options={[
            { value: "at", label: endingTexts.atDate },
            { value: "now", label: endingTexts.atOnce, hint: endingTexts.atOnceHint },
          ]}
        />
        {at !== undefined && (
          <>
            <InstantField
              label={endingTexts.from}
              pointer="/retired-at"
              instant={at}
              error={undefined}
              onChange={setAt}
            />
            <p className="note">{endingTexts.undoUntil(minute(at))}</p>
          </>
        )}
      </Confirm>
    </>
  );
}
