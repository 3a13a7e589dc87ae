import type { Restriction } from "./restrictions-queries";
import { useRestrictionsTexts } from "./texts/texts";

const TONES: Readonly<Partial<Record<Restriction["status"], string>>> = {
  PROPOSED: "warning",
  IMPOSED: "bad",
  LIFTED: "good",
};

export function StatusChip({ status }: Pick<Restriction, "status">) {
  const texts = useRestrictionsTexts();
  return (
    <span className="chip" data-tone={TONES[status]}>
      {texts.statuses[status]}
    </span>
  );
}
