import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import { MarketFilter } from "../markets/market-filter";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { FilterBar } from "../ui/filter-bar";
import { SubmittedField } from "../ui/submitted-field";
import { type PublishedTerm, publishedTermsQuery } from "./consents-queries";
import { type ConsentsSearch, readConsentsSearch } from "./consents-search";
import { outcomes } from "./decision-chip";
import { useConsentsTexts } from "./texts/texts";

/**
 * The filters of the decisions. Each change updates the address at once; a user id when it is
 * complete.
 */
export function ConsentsFilter({ search }: { readonly search: ConsentsSearch }) {
  const texts = useConsentsTexts();
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
  const termNames = terms.map((term) => ({
    value: String(term.id),
    label: `${titleOf(term, language.tag)} · ${texts.version(versionName(term))}`,
  }));
  const isKnown = terms.some(({ id }) => id === search.term);
  if (search.term !== undefined && !isKnown) {
    const value = String(search.term);
    termNames.push({ value, label: texts.termNumber(value) });
  }
  const types = new Set([...terms.map(({ type }) => type), ...(search.type ? [search.type] : [])]);

  const clear = () => void navigate({ to: "/consents", search: {}, replace: true });
  return (
    // The key creates a new field when the filter is cleared, because the field keeps the user id
    // itself until it is submitted.
    <FilterBar
      key={search.user ?? ""}
      count={Object.keys(search).length}
      onSubmit={submit}
      clear={{ label: texts.clear, run: clear }}
    >
      <ChoiceField
        label={texts.term}
        options={[{ value: "", label: texts.anyTerm }, ...termNames]}
        value={String(search.term ?? "")}
        onChange={(term) => change({ term: term && Number(term) })}
      />
      <ChoiceField
        label={texts.type}
        options={[{ value: "", label: texts.anyType }, ...[...types].sort()]}
        value={search.type ?? ""}
        onChange={(type) => change({ type })}
      />
      <ChoiceField
        label={texts.decision}
        options={[
          { value: "", label: texts.anyDecision },
          ...outcomes.map((value) => ({ value, label: texts[value] })),
        ]}
        value={search.decision ?? ""}
        onChange={(decision) => change({ decision })}
      />
      <MarketFilter value={search.market} onChange={(market) => change({ market })} />
      <SubmittedField
        name="user"
        label={texts.user}
        value={search.user ?? ""}
        onChange={(user) => change({ user })}
      />
      {(["since", "until"] as const).map((name) => (
        <Field
          key={name}
          type="date"
          required={false}
          label={texts[name]}
          value={search[name] ?? ""}
          onChange={(day) => change({ [name]: day })}
        />
      ))}
    </FilterBar>
  );
}

export function titleOf({ id, variants }: PublishedTerm, language: string): string {
  return inLanguage(variants, language)?.title ?? `#${id}`;
}
