import type { PublishedTerm } from "../../terms/terms-query";
import styles from "../campaigns.module.css";
import type { Campaign } from "../campaigns-queries";
import { MessagePreview } from "../message-preview";
import { useCampaignsTexts } from "../texts/texts";

/** The messages as riders read them. */
export function Messages(props: {
  readonly campaign: Campaign;
  readonly term: PublishedTerm | undefined;
}) {
  const texts = useCampaignsTexts();
  const { campaign, term } = props;
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.messages}</h2>
      <MessagePreview
        texts={campaign.texts}
        term={term}
        channels={campaign.steps.map(({ channel }) => channel)}
      />
    </section>
  );
}
