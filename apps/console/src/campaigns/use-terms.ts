import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { versionName } from "../language/version-name";
import { type PublishedTerm, termsQuery } from "../terms/terms-query";
import { useCampaignsTexts } from "./texts/texts";

/** All published versions by ID, newest last. A company has few. */
export function useTerms() {
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    termsQuery({ around: true }),
  );
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const terms = data?.pages.flatMap(({ items }) => items) ?? [];
  return new Map(terms.map((term) => [term.id, term]));
}

/** Returns a function that names a version: its title and its version. */
export function useTermName() {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  return (id: number, term: PublishedTerm | undefined): string => {
    const title = term && inLanguage(term.variants, tag)?.title;
    return title ? `${title} · ${versionName(term, tag)}` : texts.unnamed(String(id));
  };
}
