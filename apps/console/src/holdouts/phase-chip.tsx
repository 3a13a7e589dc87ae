import type { PhaseName } from "./holdouts-search";
import { useHoldoutsTexts } from "./texts/texts";

const tones: Readonly<Record<PhaseName, "good" | "warning" | undefined>> = {
  running: "good",
  analysis: "good",
  waiting: "warning",
  draft: "warning",
  ended: undefined,
};

export function PhaseChip({ phase }: { readonly phase: PhaseName }) {
  const texts = useHoldoutsTexts();
  return (
    <span className="chip" data-tone={tones[phase]}>
      {texts.phases[phase]}
    </span>
  );
}
