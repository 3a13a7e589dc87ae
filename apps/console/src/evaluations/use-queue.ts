import { useInfiniteQuery } from "@tanstack/react-query";
import { useMay } from "../api/use-may";
import { evaluationPagesQuery } from "./evaluations-queries";
import type { EvaluationsSearch } from "./evaluations-search";

/** The list with these filters. */
export function useEvaluationPages(search: EvaluationsSearch) {
  const may = useMay();
  return useInfiniteQuery(evaluationPagesQuery(search, may("review")));
}
