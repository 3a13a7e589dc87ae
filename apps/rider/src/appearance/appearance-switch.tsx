import { useState } from "react";
import { useLanguage } from "../language/language";
import {
  type Appearance,
  applyAppearance,
  nextAppearance,
  rememberAppearance,
  rememberedAppearance,
} from "./appearance";

const shapes: Record<Appearance, string> = {
  system: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 4v16M12 8h6M12 12h8M12 16h6",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
};

export function AppearanceSwitch() {
  const { texts } = useLanguage();
  const [appearance, setAppearance] = useState(rememberedAppearance);
  const label = `${texts.appearance.label}: ${texts.appearance[appearance]}`;

  function change(): void {
    const next = nextAppearance(appearance);
    applyAppearance(next);
    rememberAppearance(next);
    setAppearance(next);
  }

  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={change}>
      <svg aria-hidden="true" viewBox="0 0 24 24">
        <path d={shapes[appearance]} />
      </svg>
    </button>
  );
}
