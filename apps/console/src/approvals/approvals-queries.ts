import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { asComplete, type Draft } from "../terms/draft/draft";
import { draftsQuery } from "../terms/terms-query";

/** The approval state of a draft or a change. */
export interface Approvable {
  readonly approvals?: readonly Wire<"ApprovalBody">[];
  readonly approvals_needed?: number;
  readonly rejection?: Wire<"RejectionBody">;
}

const DRAFT = "/api/admin/v1/term-drafts/{id}";
const CHANGE = "/api/admin/v1/environments/{environment}/changes/{id}";

/** A list does not contain the approvals. */
export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: [...draftsQuery.queryKey, "one", id],
    queryFn: (): Promise<Draft> => api.get(DRAFT, { path: { id } }).then(asComplete),
  });

export const approveDraft = (id: string, sha256: string) =>
  api.post(`${DRAFT}/approvals`, { path: { id }, body: { sha256 } });
export const withdrawDraftApproval = (id: string) =>
  api.delete(`${DRAFT}/approvals`, { path: { id } });
export const sendBackDraft = (id: string, comment: string) =>
  api.post(`${DRAFT}/rejections`, { path: { id }, body: { comment } });

interface ChangePath {
  readonly environment: string;
  readonly id: string;
}
export const approveChange = (path: ChangePath, sha256: string) =>
  api.post(`${CHANGE}/approvals`, { path, body: { sha256 } });
export const withdrawChangeApproval = (path: ChangePath) =>
  api.delete(`${CHANGE}/approvals`, { path });
export const sendBackChange = (path: ChangePath, comment: string) =>
  api.post(`${CHANGE}/rejections`, { path, body: { comment } });
export const applyChange = (path: ChangePath) => api.post(`${CHANGE}/apply`, { path });
