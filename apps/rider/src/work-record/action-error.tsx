import { usePageLanguage } from "../language/page-language";
import { FailureText } from "../loading/states";
import type { RiderTexts } from "../texts/texts";
import { problemCode } from "./evaluation-calls";

/** Returns what the server's code means for the rider; undefined for a general failure. */
export function rejectionText(
  { work }: Pick<RiderTexts, "work">,
  code: string | undefined,
): string | undefined {
  switch (code) {
    case "conflict":
    case "transition_not_allowed":
      return work.rejections.changed;
    case "contest_closed":
    case "evaluation_final":
      return work.rejections.closed;
    case "rounds_exhausted":
      return work.roundsUsed;
    case "message_too_short":
      return work.tooShort;
    case "expired":
      return work.rejections.expired;
    default:
      return undefined;
  }
}

/** Explains why an action was not recorded. */
export function ActionError({ error }: { readonly error: unknown }) {
  const { texts } = usePageLanguage();
  if (error === undefined) return null;
  const text = rejectionText(texts, problemCode(error));
  if (text === undefined) return <FailureText error={error} />;
  return (
    <p className="failure" role="alert">
      {text}
    </p>
  );
}
