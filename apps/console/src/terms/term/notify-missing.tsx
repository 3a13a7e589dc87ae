import { Link } from "@tanstack/react-router";
import { EVERYWHERE } from "../../api/grants";
import { ForRoles } from "../../ui/for-roles";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

/** Links to a new campaign about a version that is in effect or will be. */
export function NotifyMissing({
  term,
  market,
}: {
  readonly term: PublishedTerm;
  readonly market?: string | undefined;
}) {
  const texts = useTermsTexts();
  if (term.status !== "active" && term.status !== "scheduled") return null;
  return (
    <ForRoles task="terms" scope={market ?? term.market ?? EVERYWHERE} isQuiet>
      <Link
        to="/campaigns/new"
        search={{ term: term.id, ...(market && { market }) }}
        className="mu-button"
        data-kind="secondary"
      >
        {texts.term.notifyMissing}
      </Link>
    </ForRoles>
  );
}
