import { useInstant } from "../language/dates";
import { CopyButton } from "../ui/copy-button";
import secretStyles from "../ui/secret.module.css";
import type { OneTimeLink } from "./people-queries";
import { usePeopleTexts } from "./texts/texts";

/** Shown this once: whoever has it can set the password. */
export function OneTimeLinkShown({ link }: { readonly link: OneTimeLink }) {
  const words = usePeopleTexts();
  const written = useInstant();
  return (
    <div className={secretStyles.secret}>
      <p>{words.linkHint}</p>
      <code dir="ltr">{link.url}</code>
      <p className="note">{words.linkUntil(written(link.expires_at))}</p>
      <CopyButton text={link.url} words={words.copyLink} />
    </div>
  );
}
