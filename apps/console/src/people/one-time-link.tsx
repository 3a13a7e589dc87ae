import { useInstant } from "../language/dates";
import { CopyButton } from "../ui/copy-button";
import secretStyles from "../ui/secret.module.css";
import type { OneTimeLink } from "./people-queries";
import { usePeopleTexts } from "./texts/texts";

/**
 * Shown only once, because the link allows to set the password. If message delivery is set up, the
 * link was sent instead.
 */
export function OneTimeLinkShown({ link }: { readonly link: OneTimeLink }) {
  const texts = usePeopleTexts();
  const written = useInstant();
  const { url } = link;
  if (url === undefined) {
    return (
      <div className={secretStyles.secret}>
        <p role="status">{link.sent ? texts.linkSent : texts.linkNotSent}</p>
        {link.sent && <p className="note">{texts.linkUntil(written(link.expires_at))}</p>}
      </div>
    );
  }
  return (
    <div className={secretStyles.secret}>
      <p>{texts.linkHint}</p>
      <code dir="ltr">{url}</code>
      <p className="note">{texts.linkUntil(written(link.expires_at))}</p>
      <CopyButton text={url} label={texts.copyLink} />
    </div>
  );
}
