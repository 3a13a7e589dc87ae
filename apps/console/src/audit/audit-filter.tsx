import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useLanguage } from "../language/language-context";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { FilterBar } from "../ui/filter-bar";
import { SubmittedField } from "../ui/submitted-field";
import { type AuditSearch, readAuditSearch } from "./audit-search";

/**
 * The filters of the audit log. Each change updates the address at once; a user id when it is
 * complete.
 */
export function AuditFilter({ search }: { readonly search: AuditSearch }) {
  const { texts } = useLanguage();
  const navigate = useNavigate({ from: "/audit" });
  const auditTexts = texts.audit;

  const change = (part: AuditSearch) =>
    void navigate({ search: (former) => readAuditSearch({ ...former, ...part }), replace: true });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    change({ q: String(typed.get("q")).trim(), user: String(typed.get("user")).trim() });
  };
  const { event } = search;

  return (
    // The key creates a new field when the filter is cleared, because the field keeps the user id
    // itself until it is submitted.
    <FilterBar
      key={`${search.q} ${search.user}`}
      count={Object.keys(search).length}
      onSubmit={submit}
      clear={{
        label: auditTexts.clear,
        run: () => void navigate({ search: {}, replace: true }),
      }}
    >
      <SubmittedField
        name="q"
        type="search"
        label={auditTexts.search}
        placeholder={auditTexts.searchHint}
        value={search.q ?? ""}
        onChange={(q) => change({ q })}
      />
      <ChoiceField
        label={auditTexts.event}
        options={[
          { value: "", label: auditTexts.anyEvent },
          ...(event && !auditTexts.events[event] ? [event] : []),
          ...Object.entries(auditTexts.events).map(([value, name]) => ({ value, label: name })),
        ]}
        value={event ?? ""}
        onChange={(event) => change({ event })}
      />
      <SubmittedField
        name="user"
        type="text"
        label={auditTexts.user}
        value={search.user ?? ""}
        onChange={(user) => change({ user })}
      />
      {(["since", "until"] as const).map((name) => (
        <Field
          key={name}
          type="date"
          required={false}
          label={auditTexts[name]}
          value={search[name] ?? ""}
          onChange={(day) => change({ [name]: day })}
        />
      ))}
    </FilterBar>
  );
}
