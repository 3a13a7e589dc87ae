import { useCallback } from "react";
import { usePageLanguage } from "../language/page-language";
import { useStoredLoad } from "../offline/use-stored-load";
import { Link } from "../router/router";
import { hasEvaluations } from "./evaluation-calls";

/** The link to the rider's record. A company that records no work shows no link. */
export function WorkRecordLink({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const load = useCallback(() => hasEvaluations(userId), [userId]);
  const loaded = useStoredLoad("work record used", load);
  if (loaded.state !== "ready" || !loaded.value) return null;
  return (
    <Link className="mu-button" data-kind="secondary" href="/work-record">
      {texts.work.title}
    </Link>
  );
}
