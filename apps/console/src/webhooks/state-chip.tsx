import { useWebhooksTexts } from "./texts/texts";
import type { Webhook } from "./webhooks-queries";

/**
 * Shows whether events are sent. A person disabling it is not an error; being disabled
 * automatically is.
 */
export function StateChip({ webhook }: { readonly webhook: Webhook }) {
  const texts = useWebhooksTexts();
  const { enabled, disabled_because: why } = webhook;
  const [tone, label] = enabled
    ? (["good", texts.enabled] as const)
    : why === "person"
      ? (["warning", texts.paused] as const)
      : (["bad", texts.off] as const);
  return (
    <span className="chip" data-tone={tone}>
      {label}
    </span>
  );
}
