import type { ExperimentStatus } from "../configuration/document/document";
import { useExperimentsTexts } from "./texts/texts";

const tones: Readonly<Record<ExperimentStatus, "good" | "warning" | undefined>> = {
  running: "good",
  draft: "warning",
  stopped: undefined,
  shipped: undefined,
};

export function StatusChip({ status }: { readonly status: ExperimentStatus }) {
  const texts = useExperimentsTexts();
  return (
    <span className="chip" data-tone={tones[status]}>
      {texts.statuses[status]}
    </span>
  );
}
