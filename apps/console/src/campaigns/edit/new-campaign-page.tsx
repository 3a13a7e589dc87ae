import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { termQuery } from "../../terms/terms-query";
import { ForRoles } from "../../ui/for-roles";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { useCampaignsTexts } from "../texts/texts";
import { withTerm } from "./audience-fields";
import { CampaignEditor } from "./campaign-editor";
import { emptyForm } from "./form";

/** Adds a campaign as a draft. */
export function NewCampaignPage() {
  const texts = useCampaignsTexts();
  const { term, market } = useSearch({ from: "/inside/campaigns/new" });
  const name = `${term ?? ""}.${market ?? ""}`;
  const query = useQuery({ ...termQuery(String(term)), enabled: term !== undefined });
  const form = emptyForm(term, market);
  return (
    <Page title={texts.newTitle} intro={texts.editIntro}>
      <ForRoles task="terms">
        {query.isLoading ? (
          <Skeleton rows={6} />
        ) : (
          <CampaignEditor
            key={name}
            name={`new.${name}`}
            saved={query.data ? withTerm(form, String(term), query.data) : form}
          />
        )}
      </ForRoles>
    </Page>
  );
}
