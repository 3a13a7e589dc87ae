import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { api } from "../api/client";
import { type EvaluationsSearch, evaluationsParameters } from "./evaluations-search";
import type { Evaluation, EvaluationDetail, Transition } from "./model";

export const EVALUATIONS = "/api/admin/v1/evaluations";
const ONE = `${EVALUATIONS}/{id}` as const;
const PAGE = 100;

/** The list, those in discussion first, by due date. */
export const evaluationPagesQuery = (search: EvaluationsSearch, isReviewer: boolean) =>
  infiniteQueryOptions({
    queryKey: [EVALUATIONS, "pages", search, isReviewer],
    queryFn: async ({ pageParam: after }) => {
      const parameters = evaluationsParameters(search, isReviewer, new Date());
      const query = { ...parameters, limit: PAGE, ...(after !== undefined && { after }) };
      const { items, next } = await api.get(EVALUATIONS, { query });
      return { items, ...(next && { next_cursor: next }) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Whether there is any evaluation that this person may read. */
export const anyEvaluationQuery = queryOptions({
  queryKey: [EVALUATIONS, "any"],
  queryFn: async () => (await api.get(EVALUATIONS, { query: { limit: 1 } })).items.length > 0,
  staleTime: Number.POSITIVE_INFINITY,
});

export const evaluationQuery = (id: string) =>
  queryOptions({
    queryKey: [EVALUATIONS, "one", id],
    queryFn: (): Promise<EvaluationDetail> => api.get(ONE, { path: { id } }),
  });

/** Fetches the lists and the evaluations again. */
export const refreshEvaluations = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [EVALUATIONS] });

interface Post {
  readonly id: string;
  /** A retry sends the same key, so that it is recorded once. */
  readonly key: string;
}

export const makeTransition = ({ id, key }: Post, body: Transition): Promise<Evaluation> =>
  api.post(`${ONE}/transitions`, { path: { id }, body, idempotencyKey: key });

export const sendMessage = ({ id, key }: Post, message: string): Promise<Evaluation> =>
  api.post(`${ONE}/messages`, { path: { id }, body: { message }, idempotencyKey: key });

export const withdrawDiscussion = (id: string): Promise<Evaluation> =>
  api.delete(`${ONE}/discussion`, { path: { id } });
