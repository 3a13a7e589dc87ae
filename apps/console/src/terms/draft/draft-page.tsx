import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { useTermsTexts } from "../texts/texts";
import { readDraft } from "./draft-calls";
import { DraftEditor } from "./draft-editor";

export function DraftPage() {
  const texts = useTermsTexts();
  const { draftId } = useParams({ from: "/inside/terms/drafts/$draftId" });
  const draft = useQuery({
    queryKey: ["term-draft", draftId],
    queryFn: () => readDraft(draftId),
    // Fetched once when the page opens. From then on the editor tracks the server's state.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (draft.isSuccess) return <DraftEditor key={draftId} first={draft.data} />;
  const isGone = draft.error instanceof HttpError && draft.error.status === 404;
  return (
    <Page title={texts.draft.title}>
      {draft.isPending && <Skeleton rows={6} />}
      {isGone && (
        <div className="card calm">
          <p>{texts.draft.notThere}</p>
          <Link to="/terms">{texts.draft.backToTerms}</Link>
        </div>
      )}
      {draft.isError && !isGone && <LoadFailed error={draft.error} onRetry={draft.refetch} />}
    </Page>
  );
}
