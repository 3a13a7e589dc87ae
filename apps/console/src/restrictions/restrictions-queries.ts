import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import type { RestrictionsSearch } from "./restrictions-search";

export type Restriction = Wire<"RestrictionBody">;
export type RestrictionDetail = Wire<"RestrictionDetail">;
export type NewRestriction = Wire<"NewRestrictionBody">;
export type ReviewAnswer = Wire<"ReviewAnswerBody">;

export const RESTRICTIONS = "/api/admin/v1/restrictions";
const ONE = `${RESTRICTIONS}/{id}` as const;
const PAGE = 100;

/** The list: open reviews by due date, then the newest first. */
export const restrictionPagesQuery = ({ user, ...search }: RestrictionsSearch) =>
  infiniteQueryOptions({
    queryKey: [RESTRICTIONS, "pages", search, user],
    queryFn: async ({ pageParam: after }) => {
      const query = {
        ...search,
        ...(user && { user_id: user }),
        limit: PAGE,
        ...(after !== undefined && { after }),
      };
      const { items, next } = await api.get(RESTRICTIONS, { query });
      return { items, ...(next && { next_cursor: next }) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });

export const restrictionQuery = (id: string) =>
  queryOptions({
    queryKey: [RESTRICTIONS, "one", id],
    queryFn: (): Promise<RestrictionDetail> => api.get(ONE, { path: { id } }),
  });

export const refreshRestrictions = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [RESTRICTIONS] });

// A retry with the same key is recorded once.

export const imposeRestriction = (
  body: NewRestriction,
  idempotencyKey: string,
): Promise<Restriction> => api.post(RESTRICTIONS, { body, idempotencyKey });

export const proposeRestriction = (
  body: NewRestriction,
  idempotencyKey: string,
): Promise<Restriction> => api.post(`${RESTRICTIONS}/proposals`, { body, idempotencyKey });

export const decideProposal = (
  id: string,
  effect: "impose" | "dismiss",
  idempotencyKey: string,
): Promise<Restriction> =>
  api.post(`${ONE}/decision`, { path: { id }, body: { effect }, idempotencyKey });

export const approveProposal = (id: string, sha256: string) =>
  api.post(`${ONE}/approvals`, { path: { id }, body: { sha256 } });

export const liftRestriction = (
  id: string,
  message: string,
  idempotencyKey: string,
): Promise<Restriction> =>
  api.post(`${ONE}/lift`, { path: { id }, body: { message }, idempotencyKey });

export const answerReview = (
  id: string,
  body: ReviewAnswer,
  idempotencyKey: string,
): Promise<Restriction> => api.post(`${ONE}/answer`, { path: { id }, body, idempotencyKey });
