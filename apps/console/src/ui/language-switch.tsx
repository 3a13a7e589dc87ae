import { offered, useLanguage } from "../language/language-context";
import { Icon } from "./icon";
import styles from "./switch.module.css";

export function LanguageSwitch() {
  const { language, texts, choose } = useLanguage();
  return (
    <label className={styles.switch}>
      <Icon name="language" />
      <span className="mu-hidden">{texts.language}</span>
      <select
        value={language.tag}
        onChange={(event) => {
          const chosen = offered.find(({ tag }) => tag === event.target.value);
          if (chosen) choose(chosen);
        }}
      >
        {offered.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
