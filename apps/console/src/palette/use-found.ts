import { receiptNumber } from "@musette/client/terms";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import type { FlagsDocument } from "../configuration/document/document";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { chooseEnvironment } from "../configuration/document/environment-search";
import { flagAddress } from "../configuration/document/flag-link";
import { flagsDocumentQuery } from "../configuration/document/flags-document";
import { REMEMBERED } from "../configuration/document/use-environment";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import { readStored } from "../storage/storage";
import type { IconName } from "../ui/icon";
import { contains } from "./contains";

export interface SearchResult {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  /** Shown next to it. */
  readonly detail?: string | undefined;
}

const LETTERS_MIN = 2;
const EACH_MAX = 6;
const TYPING_MS = 180;
const HOUR_MS = 3_600_000;

/** Debounces the typed text. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useEnvironmentName(isWanted: boolean): string {
  const { data } = useQuery({ ...environmentsQuery, enabled: isWanted });
  const names = data?.map(({ name }) => name) ?? [];
  return chooseEnvironment(names, undefined, readStored(REMEMBERED));
}

/** Searches flags, experiments, holdouts, terms and people by name, from two letters on. */
export function useSearch(typed: string) {
  const text = useSettled(typed.trim());
  const { tag } = useLanguage().language;
  const isWanted = text.length >= LETTERS_MIN;
  const env = useEnvironmentName(isWanted);
  const flags = useQuery({ ...flagsDocumentQuery(env), enabled: isWanted && env !== "" });
  const terms = useQuery({
    queryKey: ["palette", "terms"],
    queryFn: () => api.get("/api/admin/v1/terms", { query: { limit: 200 } }),
    enabled: isWanted,
    staleTime: HOUR_MS,
  });
  const people = useQuery({
    queryKey: ["palette", "people", text],
    queryFn: () => api.get("/api/admin/v1/people", { query: { q: text, limit: EACH_MAX } }),
    enabled: isWanted,
  });
  const has = (name: string) => contains(name, text);
  const results = isWanted
    ? [
        ...receiptResults(text),
        ...(flags.data ? flagResults(flags.data.body, env, has) : []),
        ...termResults(terms.data?.items ?? [], has, tag),
        ...(people.data?.items ?? []).map(personResult),
      ]
    : [];
  const isLoading = flags.isLoading || terms.isLoading || people.isLoading || text !== typed.trim();
  return { results, isSearching: typed.trim().length >= LETTERS_MIN && isLoading };
}

/** Opens a receipt whose number was typed or pasted. */
function receiptResults(text: string): readonly SearchResult[] {
  const number = receiptNumber(text);
  const href = `/consents/verify?receipt=${number}`;
  return number ? [{ href, icon: "consents", label: number }] : [];
}

function flagResults(
  { flags, holdouts }: FlagsDocument,
  env: string,
  has: (name: string) => boolean,
): readonly SearchResult[] {
  const shown = `?env=${encodeURIComponent(env)}`;
  const at = (place: string, key: string) => `/${place}/${encodeURIComponent(key)}${shown}`;
  const experiments = flags.flatMap((flag) =>
    flag.rules.flatMap(({ serve }) => ("experiment" in serve ? [serve.experiment.key] : [])),
  );
  const few = (keys: readonly string[]) => keys.filter(has).slice(0, EACH_MAX);
  return [
    ...few(flags.map(({ key }) => key)).map((label) => ({
      href: flagAddress(label).replace("$key", encodeURIComponent(label)) + shown,
      icon: "flags" as const,
      label,
      detail: env,
    })),
    ...few(experiments).map((label) => ({
      href: at("experiments", label),
      icon: "experiments" as const,
      label,
      detail: env,
    })),
    ...few(holdouts.map(({ key }) => key)).map((label) => ({
      href: at("holdouts", label),
      icon: "holdouts" as const,
      label,
      detail: env,
    })),
  ];
}

function termResults(
  terms: readonly Wire<"PublishedTerm">[],
  has: (name: string) => boolean,
  tag: string,
): readonly SearchResult[] {
  // Found by the title in any language, and shown with the one that the reader knows.
  const matches = terms.flatMap((term) => {
    const isFound = has(term.type) || term.variants.some(({ title }) => has(title));
    const label = inLanguage(term.variants, tag)?.title;
    return isFound && label ? [{ term, label }] : [];
  });
  return matches.slice(0, EACH_MAX).map(({ term, label }) => ({
    href: `/terms/${term.id}`,
    icon: "terms",
    label,
    detail: `${term.type} ${versionName(term)}`,
  }));
}

const personResult = ({ user_id, name }: Wire<"PersonBody">): SearchResult => ({
  href: `/people/${encodeURIComponent(user_id)}`,
  icon: "people",
  label: name ?? user_id,
  detail: name && user_id,
});
