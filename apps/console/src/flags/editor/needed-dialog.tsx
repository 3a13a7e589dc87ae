import { Button, Modal } from "@musette/react/ui";
import { FlagLink } from "../../configuration/document/flag-link";
import { useLanguage } from "../../language/language-context";
import dialogStyles from "../../ui/dialog.module.css";
import { useFlagsTexts } from "../texts/texts";
import styles from "./editor.module.css";

/** Explains that a flag cannot be deleted while other flags depend on it. */
export function RequiredFlagDialog(props: {
  readonly flag: string;
  readonly by: readonly string[];
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { texts } = useLanguage();
  const flagsTexts = useFlagsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={flagsTexts.deleteTitle(props.flag)}>
      <div className={dialogStyles.confirm}>
        <h2>{flagsTexts.neededTitle(props.flag)}</h2>
        <p>{flagsTexts.neededText}</p>
        <ul className={styles.needed}>
          {props.by.map((key) => (
            <li key={key}>
              <FlagLink flag={key} />
            </li>
          ))}
        </ul>
        <div className={dialogStyles.buttons}>
          <Button kind="secondary" onClick={props.onClose}>
            {texts.close}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
