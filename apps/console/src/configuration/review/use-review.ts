import { HttpError } from "@musette/client/http";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Approvals, approvalRequired } from "../../api/approval-required";
import { approvalsNeeded, rulesQuery } from "../../api/approval-rules";
import type { Tagged } from "../../api/client";
import type { FlagsDocument } from "../document/document";
import { faultsOf } from "../document/faults";
import { flagsDocumentQuery, useProposeFlags, useSaveFlags } from "../document/flags-document";
import { conflictId, merge, type Side } from "../save/merge";
import { switchesOnlyOff } from "./switches-only-off";

/** A change that is proposed for review. */
export interface Proposal {
  readonly base: Tagged<FlagsDocument>;
  /** What the change was made from, if that is older than `base`. */
  readonly ancestor?: FlagsDocument;
  readonly document: FlagsDocument;
  /** What a rule asks for, where that is known already: then it is proposed, and not saved first. */
  readonly approvals?: Approvals | undefined;
}

/**
 * A change on its way: what it was made from, and what has become current since somebody else saved.
 * It is never laid over theirs without being looked at again.
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
  const merged = merge(ancestor, current.body, document, sides);
  const open = merged.conflicts.filter((conflict) => !sides[conflictId(conflict)]);

  async function save(comment: string, breakGlass?: string): Promise<void> {
    try {
      const saved = await saving.mutateAsync({
        document: merged.document,
        etag: current.etag,
        comment,
        breakGlass,
      });
      onSaved(saved.version, comment.trim());
    } catch (error) {
      await reread(error);
    }
  }

  /** Whether it is proposed now; else the dialog says why not. */
  async function propose(comment: string): Promise<boolean> {
    try {
      await proposing.mutateAsync({ document: merged.document, etag: current.etag, comment });
      return true;
    } catch (error) {
      await reread(error);
      return false;
    }
  }

  /** Reads what somebody else has saved, if that is why the change was refused. */
  async function reread(error: unknown): Promise<void> {
    if (!isMovedOn(error)) return;
    setSides({});
    setCurrent(await client.fetchQuery({ ...flagsDocumentQuery(environment), staleTime: 0 }));
  }

  // Without the rules, or with rules of before, the server still refuses what must be approved.
  const needed = approvalsNeeded(useQuery(rulesQuery).data ?? [], "flags", environment);
  const isHeldUp = needed > 0 && !switchesOnlyOff(current.body, merged.document);
  const expected = isHeldUp ? { needed, given: 0 } : undefined;
  const approvals = approvalRequired(saving.error) ?? proposal.approvals ?? expected;
  // A proposal that was not possible counts, not the attempt to save before it.
  const failure = proposing.error ?? (approvalRequired(saving.error) ? undefined : saving.error);
  return {
    current: current.body,
    document: merged.document,
    conflicts: merged.conflicts,
    hasOpenConflicts: open.length > 0,
    isMovedOn: current.etag !== base.etag,
    sides,
    choose: (id: string, side: Side) => setSides((former) => ({ ...former, [id]: side })),
    save,
    isSaving: saving.isPending,
    faults: faultsOf(failure),
    /** What a rule asks for before this can be saved. */
    approvals,
    propose,
    isProposing: proposing.isPending,
    failure: isMovedOn(failure) || faultsOf(failure) ? undefined : failure,
  };
}

const isMovedOn = (error: unknown) => error instanceof HttpError && error.status === 412;
