import { useQuery } from "@tanstack/react-query";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { Skeleton } from "../../ui/skeleton";
import stateStyles from "../../ui/state.module.css";
import { LoadFailed } from "../../ui/states";
import styles from "../campaigns.module.css";
import { type CampaignPreview, type Channel, previewQuery } from "../campaigns-queries";
import { useCampaignsTexts } from "../texts/texts";

/** Who would get a message if the campaign started now, and who would not and why. */
export function Recipients({ id }: { readonly id: string }) {
  const texts = useCampaignsTexts();
  const preview = useQuery(previewQuery(id));
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.recipients}</h2>
      {preview.isPending && <Skeleton rows={3} />}
      {preview.isError && <LoadFailed error={preview.error} onRetry={preview.refetch} />}
      {preview.data && <RecipientCounts preview={preview.data} />}
      <p className="note">{texts.recipientsHint}</p>
    </section>
  );
}

export function RecipientCounts({ preview }: { readonly preview: CampaignPreview }) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const { addressed, skipped } = preview;
  const channels = Object.entries(preview.by_channel).map(
    ([channel, count]) => [texts.channels[channel as Channel], count] as const,
  );
  const languages = Object.entries(preview.by_locale).map(
    ([locale, count]) => [languageName(locale, tag), count] as const,
  );
  const reasons = (["decided", "no_text", "bounced", "restricted_channel", "no_address"] as const)
    .filter((reason) => skipped[reason] > 0)
    .map((reason) => [texts.reasons[reason], skipped[reason]] as const);
  return (
    <>
      <p className={stateStyles.state} data-state={addressed > 0 ? "good" : "warning"}>
        {addressed > 0 ? texts.addressed(addressed) : texts.noRecipients}
      </p>
      <div className={styles.counts}>
        {addressed > 0 && <Counts title={texts.byChannel} rows={channels} />}
        {languages.length > 0 && <Counts title={texts.byLanguage} rows={languages} />}
        {reasons.length > 0 && <Counts title={texts.notAddressed} rows={reasons} />}
      </div>
    </>
  );
}

function Counts(props: {
  readonly title: string;
  readonly rows: readonly (readonly [string, number])[];
}) {
  const { tag } = useLanguage().language;
  return (
    <div>
      <h3>{props.title}</h3>
      <dl>
        {props.rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString(tag)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
