import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { EVERYWHERE } from "../../api/grants";
import { ForRoles } from "../../ui/for-roles";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import styles from "../campaigns.module.css";
import { type Campaign, campaignQuery } from "../campaigns-queries";
import { useCampaignsTexts } from "../texts/texts";
import { CampaignEditor } from "./campaign-editor";
import { formOf } from "./form";

/** Changes a draft or a paused campaign. */
export function EditCampaignPage() {
  const texts = useCampaignsTexts();
  const { campaignId: id } = useParams({ from: "/inside/campaigns/$campaignId/edit" });
  const query = useQuery(campaignQuery(id));
  const isAbsent = query.error instanceof HttpError && [400, 404].includes(query.error.status);
  const isPaused = query.data?.status === "paused";
  return (
    <Page title={texts.editTitle} intro={isPaused ? texts.pausedIntro : texts.editIntro}>
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }} className={styles.back}>
        {texts.backToCampaign}
      </Link>
      {query.isPending && <Skeleton rows={6} />}
      {isAbsent && <p className="card calm">{texts.notHere}</p>}
      {query.isError && !isAbsent && <LoadFailed error={query.error} onRetry={query.refetch} />}
      {query.data && (
        <ForRoles task="terms" scope={query.data.market ?? EVERYWHERE}>
          <Editor campaign={query.data} />
        </ForRoles>
      )}
    </Page>
  );
}

function Editor({ campaign }: { readonly campaign: Campaign }) {
  const texts = useCampaignsTexts();
  // A later change by another user does not replace the unsaved text.
  const [saved] = useState(() => formOf(campaign));
  if (campaign.status !== "draft" && campaign.status !== "paused")
    return <p className="card calm">{texts.notEditable}</p>;
  return <CampaignEditor name={campaign.id} saved={saved} campaign={campaign} />;
}
