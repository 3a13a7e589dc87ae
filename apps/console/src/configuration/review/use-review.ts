import { HttpError } from "@musette/client/http";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Tagged } from "../../api/client";
import type { FlagsDocument } from "../document/document";
import { faultsOf } from "../document/faults";
import { flagsDocumentQuery, useSaveFlags } from "../document/flags-document";
import { conflictId, merge, type Side } from "../save/merge";

/** A change that is proposed for review. */
export interface Proposal {
  readonly base: Tagged<FlagsDocument>;
  /** What the change was made from, if that is older than `base`. */
  readonly ancestor?: FlagsDocument;
  readonly document: FlagsDocument;
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
  // The current version may change while the dialog is open; the proposal does not.
  const [{ base, ancestor = base.body, document }] = useState(proposal);
  const [current, setCurrent] = useState(base);
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const merged = merge(ancestor, current.body, document, sides);
  const open = merged.conflicts.filter((conflict) => !sides[conflictId(conflict)]);

  async function save(comment: string): Promise<void> {
    try {
      const saved = await saving.mutateAsync({
        document: merged.document,
        etag: current.etag,
        comment,
      });
      onSaved(saved.version, comment.trim());
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 412) return;
      setSides({});
      setCurrent(await client.fetchQuery({ ...flagsDocumentQuery(environment), staleTime: 0 }));
    }
  }

  const isConflict = saving.error instanceof HttpError && saving.error.status === 412;
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
    faults: faultsOf(saving.error),
    failure: saving.isError && !isConflict && !faultsOf(saving.error) ? saving.error : undefined,
  };
}
