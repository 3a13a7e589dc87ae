import { Button } from "@musette/react/ui";
import { CopyButton } from "./copy-button";
import dialogStyles from "./dialog.module.css";
import secretStyles from "./secret.module.css";

interface SecretOnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  readonly copy: string;
  readonly kept: string;
  readonly onClose: () => void;
}

/** Shows a secret once: the server keeps only a hash, or does not show it again. */
export function SecretOnce({ title, hint, secret, copy, kept, onClose }: SecretOnceProps) {
  return (
    <div className={dialogStyles.confirm}>
      <h2>{title}</h2>
      <div className={secretStyles.secret}>
        <p>{hint}</p>
        <code dir="ltr">{secret}</code>
        <CopyButton text={secret} label={copy} />
      </div>
      <div className={dialogStyles.buttons}>
        <Button onClick={onClose}>{kept}</Button>
      </div>
    </div>
  );
}
