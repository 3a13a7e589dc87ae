import { HttpError } from "@musette/client/http";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMay } from "../../api/use-may";
import { CsvButton } from "../../export/csv-button";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { PagedTable } from "../../table/paged-table";
import { Page } from "../../ui/page";
import { ShareBar } from "../../ui/share-bar";
import { Skeleton } from "../../ui/skeleton";
import stateStyles from "../../ui/state.module.css";
import { LoadFailed } from "../../ui/states";
import { NotifyMissing } from "../term/notify-missing";
import { TermNotFound } from "../term/term-not-there";
import { TermTabs } from "../term/term-tabs";
import { type PublishedTerm, termQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import styles from "./reach.module.css";
import {
  EXPORT_PAGE,
  fetchUnreached,
  type NoticeReach,
  reachQuery,
  type UnreachedRider,
  unreachedQuery,
} from "./reach-queries";
import { useReachTexts } from "./texts/texts";

/** The riders that a notice has reached, and the list of all others. */
export function ReachPage() {
  const texts = useReachTexts();
  const { termId } = useParams({ from: "/inside/terms/$termId/reach" });
  const term = useQuery(termQuery(termId));
  if (term.isSuccess) return <ReachOf term={term.data} />;
  const isUnknown = term.error instanceof HttpError && term.error.status === 404;
  return (
    <Page title={texts.title}>
      {term.isPending && <Skeleton rows={6} />}
      {isUnknown && <TermNotFound />}
      {term.isError && !isUnknown && <LoadFailed error={term.error} onRetry={term.refetch} />}
    </Page>
  );
}

function ReachOf({ term }: { readonly term: PublishedTerm }) {
  const texts = useReachTexts();
  const termsTexts = useTermsTexts();
  const { tag } = useLanguage().language;
  const title = inLanguage(term.variants, tag)?.title || termsTexts.untitled;
  const version = termsTexts.version(versionName(term, tag));
  const isNotice = term.kind === "notice";
  return (
    <Page title={title} intro={`${texts.title} · ${version}`}>
      <TermTabs term={term}>{isNotice && <NotifyMissing term={term} />}</TermTabs>
      {isNotice ? (
        <>
          <Figures term={term} />
          <Unreached term={term} />
        </>
      ) : (
        <p className="card calm">{texts.noNotice}</p>
      )}
    </Page>
  );
}

function Figures({ term }: { readonly term: PublishedTerm }) {
  const texts = useReachTexts();
  const { tag } = useLanguage().language;
  const reach = useQuery(reachQuery(term.id));
  const figures = [
    ["addressed", texts.addressed],
    ["sent", texts.sent],
    ["accepted", texts.accepted],
    ["bounced", texts.bounced],
    ["opened", texts.opened],
    ["not_reachable", texts.notReachable],
  ] as const;
  return (
    <section className={`card ${styles.figures}`}>
      <h2>{texts.title}</h2>
      {reach.isPending && <Skeleton rows={3} />}
      {reach.isError && <LoadFailed error={reach.error} onRetry={reach.refetch} />}
      {reach.data && (
        <>
          <dl>
            {figures.map(([name, label]) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd className={stateStyles.figure}>{reach.data[name].toLocaleString(tag)}</dd>
              </div>
            ))}
          </dl>
          <Served reach={reach.data} />
        </>
      )}
      <p className="note">{texts.servedHint}</p>
      <p>
        <Link to="/campaigns" search={{ term: term.id }}>
          {texts.campaigns}
        </Link>
      </p>
    </section>
  );
}

function Served({ reach }: { readonly reach: NoticeReach }) {
  const texts = useReachTexts();
  const { tag } = useLanguage().language;
  const { addressed } = reach;
  if (addressed === 0) return <p>{texts.noRiders}</p>;
  const served = addressed - reach.not_reachable;
  const percent = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 });
  const share = served / addressed;
  const [of, all] = [served, addressed].map((value) => value.toLocaleString(tag));
  return (
    <>
      <p>{texts.served(percent.format(share), of ?? "", all ?? "")}</p>
      <ShareBar share={share} />
    </>
  );
}

/** The riders without the notice, with the reason. */
function Unreached({ term }: { readonly term: PublishedTerm }) {
  const texts = useReachTexts();
  const may = useMay();
  const pages = useInfiniteQuery(unreachedQuery(term.id));
  const isEmpty = pages.data?.pages.every(({ items }) => items.length === 0) ?? true;
  const fetch = async (after: string | undefined) => {
    const { items, next } = await fetchUnreached(term.id, after, EXPORT_PAGE);
    return {
      lines: items.map(({ user_id, reason }) => [user_id, reason]),
      next: next ?? undefined,
    };
  };
  const rider = ({ user_id: userId }: UnreachedRider) =>
    may("personal") ? (
      <Link to="/people/$userId" params={{ userId }} className="mono">
        <bdi>{userId}</bdi>
      </Link>
    ) : (
      <bdi className="mono">{userId}</bdi>
    );
  return (
    <section className={styles.unreached}>
      <h2>{texts.unreached}</h2>
      {!isEmpty && (
        <CsvButton
          label={texts.export}
          name={`notice-${term.id}-unreached`}
          header={["user_id", "reason"]}
          fetch={fetch}
        />
      )}
      <PagedTable
        label={texts.unreached}
        columns={[
          { id: "rider", title: texts.rider, width: "50%", cell: rider },
          {
            id: "reason",
            title: texts.reason,
            width: "50%",
            cell: ({ reason }: UnreachedRider) => texts.reasons[reason],
          },
        ]}
        pages={pages}
        rowKey={({ user_id }) => user_id}
        shown={texts.shown}
        empty={<p>{texts.none}</p>}
      />
    </section>
  );
}
