import type { TermStatus } from "./terms-search";
import { useTermsTexts } from "./texts/texts";

const tones: Partial<Record<TermStatus, "good" | "warning">> = {
  active: "good",
  scheduled: "warning",
};

export function StatusChip({ status }: { readonly status: TermStatus }) {
  const texts = useTermsTexts();
  return (
    <span className="chip" data-tone={tones[status]}>
      {texts.status[status]}
    </span>
  );
}
