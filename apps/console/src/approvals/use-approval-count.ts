import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/me";
import { proposalsQuery } from "../api/proposals";
import { draftsQuery } from "../terms/terms-query";
import { draftQuery } from "./approvals-queries";

/** More drafts than a company writes at once. */
const DRAFTS_MAX = 20;
const FRESH_MS = 60_000;

/** Returns the number of drafts and proposals of other people that need an approval. */
export function useApprovalCount(enabled: boolean): number {
  const me = useQuery(meQuery).data?.user_id;
  const recent = { enabled, staleTime: FRESH_MS };
  const proposals = useInfiniteQuery({ ...proposalsQuery, ...recent });
  const drafts = useInfiniteQuery({ ...draftsQuery, ...recent });
  const ofOthers = (drafts.data?.pages[0]?.items ?? []).filter(({ updated_by: by }) => by !== me);
  const details = useQueries({
    queries: ofOthers.slice(0, DRAFTS_MAX).map(({ id }) => ({ ...draftQuery(id), ...recent })),
  });
  const needed = details.filter(
    ({ data }) => data && (data.approvals_needed ?? 0) > (data.approvals?.length ?? 0),
  );
  const proposed = (proposals.data?.pages[0]?.items ?? []).filter(({ author }) => author !== me);
  return needed.length + proposed.length;
}
