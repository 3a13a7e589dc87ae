import { isApple } from "../keyboard/platform";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import styles from "./palette.module.css";

export function PaletteButton(props: {
  readonly onClick: () => void;
  /** Shows the icon only. */
  readonly isSmall?: boolean;
}) {
  const { texts } = useLanguage();
  return (
    <button
      type="button"
      className={styles.paletteButton}
      aria-label={texts.palette.open}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      data-small={props.isSmall || undefined}
      onClick={props.onClick}
    >
      <Icon name="search" />
      <span>{texts.palette.open}</span>
      <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
    </button>
  );
}
