import type { Language } from "./languages";

/** Props of the `LanguageSwitch`. */
export interface LanguageSwitchProps {
  /** The accessible name in the current language, such as “Language”. */
  readonly label: string;
  /** The class of the `<label>` around the icon and the select, for the styles of the application. */
  readonly className?: string | undefined;
}

interface LanguageSelectProps extends LanguageSwitchProps {
  readonly offered: readonly Language[];
  readonly language: Language;
  readonly choose: (language: Language) => Promise<void>;
}

/** A native select with the native names of the languages. Phones show their own list for it. */
export function LanguageSelect(props: LanguageSelectProps) {
  const { label, className, offered, language, choose } = props;
  return (
    <label className={className}>
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" />
      </svg>
      <span className="mu-hidden">{label}</span>
      <select
        value={language.tag}
        onChange={(event) => {
          const chosen = offered.find(({ tag }) => tag === event.target.value);
          if (chosen) void choose(chosen);
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
