import { useState } from "react";
import { appearances, chooseAppearance, rememberedAppearance } from "../appearance/appearance";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import styles from "../ui/switch.module.css";

export function AppearanceSwitch() {
  const { texts } = useLanguage();
  const [appearance, setAppearance] = useState(rememberedAppearance);
  return (
    <label className={styles.switch}>
      <Icon name="appearance" />
      <span className="mu-hidden">{texts.appearance.label}</span>
      <select
        value={appearance}
        onChange={(event) => {
          const chosen =
            appearances.find((appearance) => appearance === event.target.value) ?? "system";
          chooseAppearance(chosen);
          setAppearance(chosen);
        }}
      >
        {appearances.map((appearance) => (
          <option key={appearance} value={appearance}>
            {texts.appearance[appearance]}
          </option>
        ))}
      </select>
    </label>
  );
}
