import { useState } from "react";
import { FlagLink } from "../configuration/document/flag-link";
import { draftKeys } from "../configuration/drafts/object-draft";
import bannerStyles from "../ui/banner.module.css";
import styles from "./flags.module.css";
import { useFlagsTexts } from "./texts/texts";

/** Links to unsaved drafts. A new flag is in no list yet. */
export function Unsaved({ env }: { readonly env: string }) {
  const texts = useFlagsTexts();
  const [keys] = useState(() => draftKeys("flag", env));
  if (keys.length === 0) return null;
  return (
    <div className={`${bannerStyles.banner} ${styles.unsaved}`}>
      <span>{texts.begun}</span>
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
