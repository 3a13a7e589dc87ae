import type { Campaign } from "./campaigns-queries";
import { useCampaignsTexts } from "./texts/texts";

const TONES: Readonly<Partial<Record<Campaign["status"], string>>> = {
  running: "good",
  paused: "warning",
};

export function StatusChip({ status }: Pick<Campaign, "status">) {
  const texts = useCampaignsTexts();
  return (
    <span className="chip" data-tone={TONES[status]}>
      {texts.statuses[status]}
    </span>
  );
}
