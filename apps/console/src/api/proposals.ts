import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Wire } from "./wire";

export type Proposal = Wire<"ProposalBody">;
export type ProposedAct = Wire<"ActBody">;

const PROPOSALS = "/api/admin/v1/proposals";
const PROPOSAL = "/api/admin/v1/proposals/{id}";
const PAGE = 50;

export const proposalsQuery = infiniteQueryOptions({
  queryKey: [PROPOSALS],
  queryFn: ({ pageParam }) =>
    api.get(PROPOSALS, {
      query: { status: "proposed", limit: PAGE, ...(pageParam && { cursor: pageParam }) },
    }),
  initialPageParam: "",
  getNextPageParam: (last) => last.next_cursor,
});

export const propose = (act: ProposedAct) => api.post(PROPOSALS, { body: act });

export const approveProposal = ({ id, sha256 }: Proposal) =>
  api.post(`${PROPOSAL}/approvals`, { path: { id }, body: { sha256 } });
export const withdrawProposalApproval = ({ id }: Proposal) =>
  api.delete(`${PROPOSAL}/approvals`, { path: { id } });
export const sendBackProposal = ({ id }: Proposal, comment: string) =>
  api.post(`${PROPOSAL}/rejections`, { path: { id }, body: { comment } });
export const applyProposal = ({ id }: Proposal) => api.post(`${PROPOSAL}/apply`, { path: { id } });
export const cancelProposal = ({ id }: Proposal) => api.delete(PROPOSAL, { path: { id } });
