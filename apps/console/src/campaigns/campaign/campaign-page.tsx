import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { EVERYWHERE } from "../../api/grants";
import { useMay } from "../../api/use-may";
import { useMinute } from "../../language/use-day";
import { useMarketName } from "../../markets/use-market-name";
import type { PublishedTerm } from "../../terms/terms-query";
import { Page } from "../../ui/page";
import pageStyles from "../../ui/page.module.css";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import styles from "../campaigns.module.css";
import { type Campaign, campaignQuery } from "../campaigns-queries";
import { StatusChip } from "../status-chip";
import { useCampaignsTexts } from "../texts/texts";
import { useTermName, useTerms } from "../use-terms";
import { CampaignActions } from "./campaign-actions";
import { Messages } from "./messages";
import { People } from "./people";
import { Progress } from "./progress-card";
import { Recipients } from "./recipients";
import { Steps } from "./steps";

/** One campaign: before its start what it would do, and from then on what it has done. */
export function CampaignPage() {
  const texts = useCampaignsTexts();
  const { campaignId: id } = useParams({ from: "/inside/campaigns/$campaignId" });
  const query = useQuery(campaignQuery(id));
  const terms = useTerms();
  const termName = useTermName();
  const isAbsent = query.error instanceof HttpError && [400, 404].includes(query.error.status);
  const campaign = query.data;
  const term = campaign && terms.get(campaign.term_id);
  return (
    <Page title={campaign ? termName(campaign.term_id, term) : texts.title} intro={texts.title}>
      {query.isPending && <Skeleton rows={6} />}
      {isAbsent && <p className="card calm">{texts.notHere}</p>}
      {query.isError && !isAbsent && <LoadFailed error={query.error} onRetry={query.refetch} />}
      {campaign && <Content campaign={campaign} term={term} fetchedAt={query.dataUpdatedAt} />}
    </Page>
  );
}

interface ContentProps {
  readonly campaign: Campaign;
  readonly term: PublishedTerm | undefined;
}

function Content({ campaign, term, fetchedAt }: ContentProps & { readonly fetchedAt: number }) {
  const texts = useCampaignsTexts();
  const may = useMay();
  const market = campaign.market ?? term?.market ?? EVERYWHERE;
  const mayChange = may("terms", market);
  const isDraft = campaign.status === "draft";
  const isEditable = isDraft || campaign.status === "paused";
  return (
    <>
      <Head campaign={campaign} term={term} />
      {mayChange && (
        <div className={pageStyles.actions}>
          <CampaignActions campaign={campaign} />
          {isEditable && (
            <Link
              to="/campaigns/$campaignId/edit"
              params={{ campaignId: campaign.id }}
              className="mu-button"
              data-kind="secondary"
            >
              {texts.edit}
            </Link>
          )}
        </div>
      )}
      {!isDraft && campaign.started_at && (
        <Progress {...{ campaign, term, fetchedAt }} startedAt={campaign.started_at} />
      )}
      {isDraft && mayChange && <Recipients id={campaign.id} />}
      <div className={styles.pair}>
        <Steps campaign={campaign} term={term} />
        <Messages campaign={campaign} term={term} />
      </div>
      {!isDraft && <People campaign={campaign} />}
    </>
  );
}

function Head({ campaign, term }: ContentProps) {
  const texts = useCampaignsTexts();
  const minute = useMinute();
  const marketName = useMarketName();
  const { status, started_at: started, ended_at: ended, created_at: created } = campaign;
  const market = campaign.market ?? term?.market;
  const moment = ended
    ? texts.endedAt(minute(ended))
    : started
      ? texts.startedAt(minute(started))
      : texts.createdAt(minute(created));
  return (
    <div className={styles.head}>
      <StatusChip status={status} />
      <Link to="/terms/$termId" params={{ termId: String(campaign.term_id) }}>
        {term?.kind === "notice" ? texts.notice : texts.document}
      </Link>
      {market && <bdi>{marketName(market)}</bdi>}
      <span className="note">{moment}</span>
    </div>
  );
}
