import { useFlag, useMetrics } from "@musette/react/flags";
import { useRef } from "react";
import { usePageLanguage } from "../language/page-language";

/**
 * Shows the tip that a flag selects, if any. It is last on its page, so that nothing moves when it
 * appears.
 */
export function StartTip() {
  const { texts } = usePageLanguage();
  const { value } = useFlag("start-tip", "none");
  const report = useMetrics();
  const opened = useRef(false);
  const tip = Object.entries(texts.tips).find(([key]) => key === value)?.[1];
  // Also for a tip that this version of the app has no text for.
  if (!tip) return null;
  return (
    <details
      className="card tip"
      onToggle={({ currentTarget }) => {
        // The metric of the A/B test: reported once per visit, however often the tip is opened.
        if (currentTarget.open && !opened.current) report("tip_opened");
        opened.current ||= currentTarget.open;
      }}
    >
      <summary>
        <svg aria-hidden="true" viewBox="0 0 24 24">
          <path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z" />
        </svg>
        {tip.title}
      </summary>
      <p>{tip.text}</p>
    </details>
  );
}
