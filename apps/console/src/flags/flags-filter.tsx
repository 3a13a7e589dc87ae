import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useMemo, useState } from "react";
import type { Flag } from "../configuration/document/document";
import { useLanguage } from "../language/language-context";
import { TABLE, useMedia } from "../ui/use-media";
import styles from "./flags.module.css";
import { type FlagsSearch, STATES, TYPES } from "./flags-search";
import { tagsAndOwners } from "./list-flags";
import { useFlagsTexts } from "./texts/texts";

/** The filters of the list. Each change updates the address at once. */
export function FlagsFilter(props: {
  readonly search: FlagsSearch;
  readonly flags: readonly Flag[];
}) {
  const { search, flags } = props;
  const texts = useFlagsTexts();
  const navigate = useNavigate({ from: "/flags" });
  const { tags, owners } = useMemo(() => tagsAndOwners(flags), [flags]);
  // On a phone the flags come first: the filters would take much space, and are rarely needed.
  const isTable = useMedia(TABLE);
  const { texts: common, language } = useLanguage();
  const set = [search.state, search.tag, search.owner, search.type].filter(Boolean).length;
  const change = (part: FlagsSearch) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const options = (names: readonly string[], labels: Readonly<Record<string, string>> = {}) =>
    names.map((name) => (
      <option key={name} value={name}>
        {labels[name] ?? name}
      </option>
    ));

  return (
    <search className={styles.flagsFilter}>
      <SearchField value={search.q ?? ""} onChange={(q) => change({ q })} />
      <details className={styles.moreFilters} open={isTable || set > 0}>
        <summary>{common.filters(set, set.toLocaleString(language.tag))}</summary>
        <Choice
          label={texts.state}
          value={search.state}
          onChange={(state) => change({ state } as FlagsSearch)}
        >
          <option value="">{texts.anyState}</option>
          {options(STATES, texts.states)}
        </Choice>
        <Choice label={texts.tag} value={search.tag} onChange={(tag) => change({ tag })}>
          <option value="">{texts.anyTag}</option>
          {options(tags)}
        </Choice>
        <Choice label={texts.owner} value={search.owner} onChange={(owner) => change({ owner })}>
          <option value="">{texts.anyOwner}</option>
          {options(owners)}
        </Choice>
        <Choice
          label={texts.type}
          value={search.type}
          onChange={(type) => change({ type } as FlagsSearch)}
        >
          <option value="">{texts.anyType}</option>
          {options(TYPES, texts.types)}
        </Choice>
      </details>
    </search>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children: React.ReactNode;
}) {
  const { label, value = "", onChange, children } = props;
  return (
    <select
      aria-label={label}
      value={value}
      data-set={value ? true : undefined}
      onChange={(event) => onChange(event.target.value)}
    >
      {children}
    </select>
  );
}

/** The field has its own state. The address follows it, and must not overwrite text that is being typed. */
function SearchField(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const texts = useFlagsTexts();
  const [typed, setTyped] = useState(props.value);
  const id = useId();
  useEffect(() => {
    setTyped((former) => (former.trim() === props.value ? former : props.value));
  }, [props.value]);
  return (
    <input
      id={id}
      type="search"
      dir="auto"
      aria-label={texts.search}
      placeholder={texts.search}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        props.onChange(event.target.value.trim());
      }}
    />
  );
}
