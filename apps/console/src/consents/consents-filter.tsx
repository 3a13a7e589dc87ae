import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import { type PublishedTerm, publishedTermsQuery } from "./consents-queries";
import { type ConsentsSearch, readConsentsSearch } from "./consents-search";
import { useConsentsTexts } from "./texts/texts";

/** Each change goes into the address at once; a user id when it is typed whole. */
export function ConsentsFilter({ search }: { readonly search: ConsentsSearch }) {
  const words = useConsentsTexts();
  const { language } = useLanguage();
  const navigate = useNavigate({ from: "/consents" });
  const { data } = useQuery(publishedTermsQuery);

  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readConsentsSearch({ ...search, ...part });
    void navigate({ to: "/consents", search: next, replace: true });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ user: String(new FormData(event.currentTarget).get("user")).trim() });
  };

  const terms = data?.items ?? [];
  const termNames = terms.map(
    (term): Option => [
      String(term.id),
      `${titleOf(term, language.tag)} · ${words.version(versionName(term))}`,
    ],
  );
  const isKnown = terms.some(({ id }) => id === search.term);
  if (search.term !== undefined && !isKnown)
    termNames.push([String(search.term), words.termNumber(String(search.term))]);
  const types = new Set([...terms.map(({ type }) => type), ...(search.type ? [search.type] : [])]);

  const clear = () => void navigate({ to: "/consents", search: {}, replace: true });
  return (
    // Made anew when it is cleared, since the user id is the browser's until it is sent.
    <search>
      <form key={search.user ?? ""} className="filter" onSubmit={submit}>
        <Choice
          label={words.term}
          any={words.anyTerm}
          options={termNames}
          value={search.term}
          onChange={(term) => change({ term: term && Number(term) })}
        />
        <Choice
          label={words.type}
          any={words.anyType}
          options={[...types].sort().map((type) => [type, type])}
          value={search.type}
          onChange={(type) => change({ type })}
        />
        <Choice
          label={words.decision}
          any={words.anyDecision}
          options={[
            ["true", words.accepted],
            ["false", words.refused],
          ]}
          value={search.accepted}
          onChange={(accepted) => change({ accepted: accepted && accepted === "true" })}
        />
        <UserField user={search.user ?? ""} onChange={(user) => change({ user })} />
        <Day label={words.since} value={search.since} onChange={(since) => change({ since })} />
        <Day label={words.until} value={search.until} onChange={(until) => change({ until })} />
        {/* Without one, Enter in one of several fields sends nothing. */}
        <input type="submit" hidden />
        {Object.keys(search).length > 0 && (
          <button type="button" className="quiet" onClick={clear}>
            {words.clear}
          </button>
        )}
      </form>
    </search>
  );
}

/** A value and how it is called. */
type Option = readonly [string, string];

interface ChoiceProps {
  readonly label: string;
  readonly any: string;
  readonly options: readonly Option[];
  readonly value: string | number | boolean | undefined;
  readonly onChange: (value: string) => void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{any}</option>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface UserFieldProps {
  readonly user: string;
  readonly onChange: (user: string) => void;
}

function UserField({ user, onChange }: UserFieldProps) {
  const words = useConsentsTexts();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.user}</label>
      <input
        id={id}
        name="user"
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={user}
        onBlur={({ target }) => target.value.trim() !== user && onChange(target.value.trim())}
      />
    </div>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

export function titleOf({ id, variants }: PublishedTerm, language: string): string {
  const variant = variants.find(({ locale }) => locale === language) ?? variants[0];
  return variant?.title ?? `#${id}`;
}
