import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { useLanguage } from "../language/language-context";
import { type PublishedTerm, publishedTermsQuery } from "./consents-queries";
import type { ConsentsSearch } from "./consents-search";
import { useConsentsTexts } from "./texts/texts";

/** Each change goes into the address at once; a user id when it is typed whole. */
export function ConsentsFilter({ search }: { readonly search: ConsentsSearch }) {
  const words = useConsentsTexts();
  const { language } = useLanguage();
  const navigate = useNavigate({ from: "/consents" });
  const { data } = useQuery(publishedTermsQuery);
  const terms = data?.items ?? [];
  const types = [...new Set(terms.map(({ type }) => type))].sort();
  const id = useId();

  /** What is left empty leaves the address. */
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== "");
    void navigate({ to: "/consents", search: Object.fromEntries(next), replace: true });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ user: String(new FormData(event.currentTarget).get("user")).trim() });
  };

  return (
    // Made anew when it is cleared, since the user id is the browser's until it is sent.
    <search>
      <form key={search.user ?? ""} className="filter" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}term`}>{words.term}</label>
          <select
            id={`${id}term`}
            value={search.term ?? ""}
            onChange={({ target }) => change({ term: target.value && Number(target.value) })}
          >
            <option value="">{words.anyTerm}</option>
            {terms.map((term) => (
              <option key={term.id} value={term.id}>
                {titleOf(term, language.tag)} · {words.version(String(term.version))}
              </option>
            ))}
            {search.term !== undefined && !terms.some(({ id }) => id === search.term) && (
              <option value={search.term}>{words.termNumber(String(search.term))}</option>
            )}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}type`}>{words.type}</label>
          <select
            id={`${id}type`}
            value={search.type ?? ""}
            onChange={({ target }) => change({ type: target.value })}
          >
            <option value="">{words.anyType}</option>
            {search.type && !types.includes(search.type) && <option>{search.type}</option>}
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}accepted`}>{words.decision}</label>
          <select
            id={`${id}accepted`}
            value={search.accepted === undefined ? "" : String(search.accepted)}
            onChange={({ target }) => change({ accepted: target.value && target.value === "true" })}
          >
            <option value="">{words.anyDecision}</option>
            <option value="true">{words.accepted}</option>
            <option value="false">{words.refused}</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}user`}>{words.user}</label>
          <input
            id={`${id}user`}
            name="user"
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={search.user}
            onBlur={({ target }) =>
              target.value.trim() !== (search.user ?? "") && change({ user: target.value.trim() })
            }
          />
        </div>
        {(["since", "until"] as const).map((name) => (
          <div className="field" key={name}>
            <label htmlFor={id + name}>{words[name]}</label>
            <input
              id={id + name}
              type="date"
              value={search[name] ?? ""}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          </div>
        ))}
        {Object.keys(search).length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => void navigate({ to: "/consents", search: {}, replace: true })}
          >
            {words.clear}
          </button>
        )}
      </form>
    </search>
  );
}

export function titleOf({ id, variants }: PublishedTerm, language: string): string {
  const variant = variants.find(({ locale }) => locale === language) ?? variants[0];
  return variant?.title ?? `#${id}`;
}
