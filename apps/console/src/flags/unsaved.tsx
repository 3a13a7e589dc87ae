import { useState } from "react";
import { draftKeys } from "./flag-draft";
import { FlagLink } from "./flag-link";
import { useFlagsTexts } from "./texts/texts";

/** Ways back to what was begun and not saved: a new flag stands in no list yet. */
export function Unsaved({ env }: { readonly env: string }) {
  const words = useFlagsTexts();
  const [keys] = useState(() => draftKeys(env));
  if (keys.length === 0) return null;
  return (
    <div className="banner unsaved">
      <span>{words.begun}</span>
      <ul>
        {keys.map((key) => (
          <li key={key}>
            <FlagLink flag={key} />
          </li>
        ))}
      </ul>
    </div>
  );
}
