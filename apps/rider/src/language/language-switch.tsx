import { offered, useLanguage } from "./language";

export function LanguageSwitch() {
  const { language, texts, choose } = useLanguage();
  return (
    <label className="language-switch">
      <svg aria-hidden="true" viewBox="0 0 24 24">
        <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" />
      </svg>
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
