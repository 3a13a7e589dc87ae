import { HttpError } from "@musette/client/http";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { type Approvals, approvalRequired } from "../../api/approval-required";
import type { Tagged } from "../../api/client";
import type { FlagsDocument } from "../document/document";
import { errorsOf } from "../document/errors";
import { flagsDocumentQuery, useProposeFlags, useSaveFlags } from "../document/flags-document";
import { conflictId, mergeQuery, type Side } from "./merge-query";

/** A change that is proposed for review. */
export interface Proposal {
  readonly base: Tagged<FlagsDocument>;
  /** The version that the change is based on, if it is older than `base`. */
  readonly ancestor?: FlagsDocument;
  readonly document: FlagsDocument;
  /** The required approvals, if they are known: the change is then proposed instead of saved. */
  readonly approvals?: Approvals | undefined;
}

/**
 * The state of a change under review: its base, and the version that another person has saved
 * since. A change is never merged into a newer version without another review.
 */
export function useReview(
  environment: string,
  proposal: Proposal,
  onSaved: (version: number, comment: string) => void,
) {
  const client = useQueryClient();
  const saving = useSaveFlags(environment);
  const proposing = useProposeFlags(environment);
  // The current version may change while the dialog is open; the proposal does not.
  const [{ base, ancestor = base.body, document }] = useState(proposal);
  const [current, setCurrent] = useState(base);
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const id = useId();
  const chosen = Object.keys(sides).filter((conflict) => sides[conflict] === "mine");
  const { etag } = current;
  const merging = useQuery(
    mergeQuery(environment, { id, base: ancestor, document, etag, mine: chosen }),
  );
  const merged = merging.data;
  const conflicts = merged?.conflicts ?? [];
  const open = conflicts.filter((conflict) => !sides[conflictId(conflict)]);

  async function save(comment: string, breakGlass?: string): Promise<void> {
    if (!merged) return;
    try {
      const saved = await saving.mutateAsync({
        document: merged.document,
        etag,
        comment,
        breakGlass,
      });
      onSaved(saved.version, comment.trim());
    } catch (error) {
      await reread(error);
    }
  }

  /** Returns whether it was proposed. Otherwise the dialog shows the reason. */
  async function propose(comment: string): Promise<boolean> {
    if (!merged) return false;
    try {
      await proposing.mutateAsync({ document: merged.document, etag, comment });
      return true;
    } catch (error) {
      await reread(error);
      return false;
    }
  }

  /** Reads the version that another person has saved, if that is why the change was refused. */
  async function reread(error: unknown): Promise<void> {
    if (!isConflict(error)) return;
    setSides({});
    setCurrent(await client.fetchQuery({ ...flagsDocumentQuery(environment), staleTime: 0 }));
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => void reread(merging.error), [merging.error]);

  const needed = merged?.approvals_needed ?? 0;
  const expected = needed > 0 ? { needed, given: 0 } : undefined;
  const approvals = approvalRequired(saving.error) ?? proposal.approvals ?? expected;
  // The error of the proposal is shown, not that of the attempt to save before it.
  const failure =
    proposing.error ??
    (approvalRequired(saving.error) ? undefined : saving.error) ??
    (merged ? undefined : merging.error);
  return {
    current: current.body,
    /** Undefined until the server has merged the change into the current version. */
    document: merged?.document,
    conflicts,
    hasOpenConflicts: open.length > 0,
    /** The choice of a side is still being applied. */
    isMerging: merging.isPlaceholderData || merging.isPending,
    isBaseStale: etag !== base.etag,
    sides,
    choose: (id: string, side: Side) => setSides((former) => ({ ...former, [id]: side })),
    save,
    isSaving: saving.isPending,
    errors: errorsOf(failure),
    /** The approvals that are required before this can be saved. */
    approvals,
    propose,
    isProposing: proposing.isPending,
    failure: isConflict(failure) || errorsOf(failure) ? undefined : failure,
  };
}

const isConflict = (error: unknown) => error instanceof HttpError && error.status === 412;
