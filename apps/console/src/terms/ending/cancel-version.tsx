import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { Confirm } from "../../ui/confirm/confirm";
import { coverageQuery } from "../coverage/coverage-query";
import type { PublishedTerm } from "../terms-query";
import { cancelVersion } from "./ending-calls";
import { useEndingTexts } from "./texts/texts";
import { useEnding } from "./use-ending";

/** A scheduled version never takes effect. */
export function CancelVersion(props: { readonly term: PublishedTerm; readonly title: string }) {
  const { term, title } = props;
  const words = useEndingTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const [isAsking, setAsking] = useState(false);
  const { done, undo } = useEnding(term);
  const coverage = useQuery({ ...coverageQuery(term.id), enabled: isAsking });
  const asked = coverage.data?.riders_outstanding;
  const effective = minute(term.effective_from);
  const confirm = async () => {
    await cancelVersion(term);
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
        onConfirm={confirm}
      >
        <p>{words.cancelText(effective)}</p>
        {term.material && asked !== undefined && (
          <p>
            <strong>{words.notAsked(asked, asked.toLocaleString(tag))}</strong>
          </p>
        )}
        <p>{term.replaces === undefined ? words.nothingInstead : words.formerStays}</p>
        <p className="note">{words.undoUntil(effective)}</p>
      </Confirm>
    </>
  );
}
