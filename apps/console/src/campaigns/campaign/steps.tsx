import { useLanguage } from "../../language/language-context";
import type { PublishedTerm } from "../../terms/terms-query";
import { ShareBar } from "../../ui/share-bar";
import styles from "../campaigns.module.css";
import type { Campaign, CampaignStep } from "../campaigns-queries";
import { useCampaignsTexts } from "../texts/texts";
import { Timeline, useMilestones } from "../timeline";
import { useStepText } from "../use-step-text";

interface StepsProps {
  readonly campaign: Campaign;
  readonly term: PublishedTerm | undefined;
}

/** The steps on a timeline with the dates of the document, and the messages of each. */
export function Steps({ campaign, term }: StepsProps) {
  const texts = useCampaignsTexts();
  const milestones = useMilestones(term);
  const stepText = useStepText();
  const isDraft = campaign.status === "draft";
  const steps = campaign.steps.map((step, index) => {
    const when = stepText(step.at);
    const channel = texts.channels[step.channel];
    return {
      key: String(index),
      at: step.due_at === null ? undefined : Date.parse(step.due_at),
      title: when ? `${channel} · ${when}` : channel,
      children: isDraft ? (
        isPast(step) && <p className="note">{texts.past}</p>
      ) : (
        <Numbers step={step} />
      ),
    };
  });
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.steps}</h2>
      <Timeline entries={[...milestones, ...steps]} />
      <p className="note">{campaign.any_time ? texts.anyHours : texts.hours}</p>
    </section>
  );
}

const isPast = ({ due_at: due }: CampaignStep) => due !== null && Date.parse(due) < Date.now();

function Numbers({ step }: { readonly step: CampaignStep }) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const { waiting, accepted, bounced, failed } = step.progress;
  const settled = accepted + bounced + failed;
  const names = (["waiting", "accepted", "bounced", "failed", "skipped"] as const).filter(
    (name) => step.progress[name] > 0,
  );
  if (names.length === 0) return <p className="note">{texts.notPrepared}</p>;
  return (
    <>
      {settled + waiting > 0 && <ShareBar share={settled / (settled + waiting)} isThin />}
      <p className="note">
        {names
          .map((name) => `${texts[name]}: ${step.progress[name].toLocaleString(tag)}`)
          .join(" · ")}
      </p>
    </>
  );
}
