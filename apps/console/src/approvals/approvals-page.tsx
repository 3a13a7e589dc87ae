import { Button } from "@musette/react/ui";
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { proposalsQuery } from "../api/proposals";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { changeQuery, changesQuery } from "../configuration/review/changes-query";
import { draftsQuery } from "../terms/terms-query";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import styles from "./approvals.module.css";
import { draftQuery } from "./approvals-queries";
import { Bypassed } from "./bypassed";
import { ChangeItem } from "./change-item";
import { DraftItem } from "./draft-item";
import { ProposalItem } from "./proposal-item";
import { useApprovalsTexts } from "./texts/texts";

/** The changes that wait for an approval. */
export function ApprovalsPage() {
  const texts = useApprovalsTexts();
  const environments = useQuery(environmentsQuery);
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Drafts />
      <Proposals />
      {environments.data?.map(({ name }) => (
        <Changes key={name} env={name} />
      ))}
      {environments.isError && (
        <LoadFailed error={environments.error} onRetry={environments.refetch} />
      )}
      <Bypassed />
    </Page>
  );
}

function Drafts() {
  const texts = useApprovalsTexts();
  const drafts = useInfiniteQuery(draftsQuery);
  const listed = drafts.data?.pages.flatMap(({ items }) => items) ?? [];
  const details = useQueries({ queries: listed.map(({ id }) => draftQuery(id)) });
  const waiting = details.flatMap(({ data }) => (data?.approvals_needed ? [data] : []));
  const isPending = drafts.isPending || details.some((detail) => detail.isPending);
  return (
    <section className={styles.group} aria-label={texts.terms}>
      <h2>{texts.terms}</h2>
      {isPending && <Skeleton rows={3} />}
      {drafts.isError && <LoadFailed error={drafts.error} onRetry={drafts.refetch} />}
      {drafts.isSuccess && !drafts.hasNextPage && !isPending && waiting.length === 0 && (
        <p className="card calm">{texts.none}</p>
      )}
      <ul className={styles.list}>
        {waiting.map((draft) => (
          <li key={draft.id} className={`card ${styles.item}`}>
            <DraftItem draft={draft} />
          </li>
        ))}
      </ul>
      <OlderItems pages={drafts} />
    </section>
  );
}

function Proposals() {
  const texts = useApprovalsTexts();
  const proposals = useInfiniteQuery(proposalsQuery);
  const waiting = proposals.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className={styles.group} aria-label={texts.proposals}>
      <h2>{texts.proposals}</h2>
      {proposals.isPending && <Skeleton rows={3} />}
      {proposals.isError && <LoadFailed error={proposals.error} onRetry={proposals.refetch} />}
      {proposals.isSuccess && waiting.length === 0 && <p className="card calm">{texts.none}</p>}
      <ul className={styles.list}>
        {waiting.map((proposal) => (
          <li key={proposal.id} className={`card ${styles.item}`}>
            <ProposalItem proposal={proposal} />
          </li>
        ))}
      </ul>
      <OlderItems pages={proposals} />
    </section>
  );
}

function Changes({ env }: { readonly env: string }) {
  const texts = useApprovalsTexts();
  const changes = useInfiniteQuery(changesQuery(env));
  const listed = (changes.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ status }) => status === "proposed" || status === "waiting",
  );
  const details = useQueries({ queries: listed.map(({ id }) => changeQuery(env, id)) });
  const waiting = details.flatMap(({ data }) =>
    data && (data.status === "proposed" || data.approvals_needed) ? [data] : [],
  );
  const isPending = changes.isPending || details.some((detail) => detail.isPending);
  return (
    <section className={styles.group} aria-label={`${texts.flags} ${env}`}>
      <h2>
        {texts.flags}: <bdi className="mono">{env}</bdi>
      </h2>
      {isPending && <Skeleton rows={3} />}
      {changes.isError && <LoadFailed error={changes.error} onRetry={changes.refetch} />}
      {changes.isSuccess && !changes.hasNextPage && !isPending && waiting.length === 0 && (
        <p className="card calm">{texts.none}</p>
      )}
      <ul className={styles.list}>
        {waiting.map((change) => (
          <li key={change.id} className={`card ${styles.item}`}>
            <ChangeItem env={env} change={change} />
          </li>
        ))}
      </ul>
      <OlderItems pages={changes} />
    </section>
  );
}

/** A list also contains settled items, so the next pending item may be on a later page. */
function OlderItems({ pages }: { readonly pages: UseInfiniteQueryResult }) {
  const texts = useApprovalsTexts();
  if (!pages.hasNextPage) return null;
  return (
    <Button
      kind="secondary"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {texts.older}
    </Button>
  );
}
