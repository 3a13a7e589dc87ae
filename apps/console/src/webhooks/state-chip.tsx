import { useWebhooksTexts } from "./texts/texts";
import type { Webhook } from "./webhooks-queries";

/** Whether events are sent. What a person ended is no trouble; what ended by itself is. */
export function StateChip({ webhook }: { readonly webhook: Webhook }) {
  const words = useWebhooksTexts();
  const { enabled, disabled_because: why } = webhook;
  const [tone, said] = enabled
    ? (["good", words.enabled] as const)
    : why === "person"
      ? (["warning", words.paused] as const)
      : (["bad", words.off] as const);
  return (
    <span className="chip" data-tone={tone}>
      {said}
    </span>
  );
}
