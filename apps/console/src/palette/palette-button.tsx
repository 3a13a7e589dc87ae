import { isApple } from "../keyboard/platform";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";

export function PaletteButton({ onClick }: { readonly onClick: () => void }) {
  const { texts } = useLanguage();
  return (
    <button
      type="button"
      className="palette-button"
      aria-label={texts.palette.open}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
    >
      <Icon name="search" />
      <span>{texts.palette.open}</span>
      <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
    </button>
  );
}
