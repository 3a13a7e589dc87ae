import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { meQuery } from "../api/me";
import { toasts } from "../toast/toasts";
import { holderOf, needsRenewal } from "./assignment";
import {
  assignmentsQuery,
  assignToMe,
  endAssignment,
  refreshAssignments,
} from "./assignments-queries";
import { refreshEvaluations } from "./evaluations-queries";
import { problemCode } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";

/** Who works on a discussion, and how this person takes and ends it. */
export function useAssignment(id: string, isOpen: boolean) {
  const texts = useEvaluationsTexts();
  const client = useQueryClient();
  const me = useQuery(meQuery).data?.user_id;
  const { data: assignments = [], dataUpdatedAt } = useQuery({
    ...assignmentsQuery,
    enabled: isOpen,
  });
  const holder = holderOf(assignments, id, me, new Date());
  const taking = useMutation({
    mutationFn: (insteadOf: string | undefined) => assignToMe(id, insteadOf),
    onError: async (error) => {
      const code = problemCode(error);
      if (code === "assigned") toasts.say(texts.assignedMeanwhile);
      if (code === "conflict") await refreshEvaluations(client);
    },
    onSettled: () => refreshAssignments(client),
  });
  const ending = useMutation({
    mutationFn: () => endAssignment(id),
    onSettled: () => refreshAssignments(client),
  });
  const renew = useEffectEvent(() => {
    if (document.visibilityState !== "visible" || taking.isPending) return;
    if (needsRenewal(holder, new Date())) taking.mutate(undefined);
  });
  // The list is fetched again at short intervals.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each fetch is a time to renew
  useEffect(() => renew(), [dataUpdatedAt]);
  return {
    holder,
    error: taking.error ?? ending.error,
    isBusy: taking.isPending || ending.isPending,
    /** Takes the discussion, also from the reviewer who is shown. */
    take: () => {
      if (holder.kind === "me" || taking.isPending) return;
      taking.mutate(holder.kind === "other" ? holder.assignment.user_id : undefined);
    },
    /** Takes the discussion if no other reviewer has it. */
    takeIfFree: () => {
      if (holder.kind === "none" && !taking.isPending) taking.mutate(undefined);
    },
    end: () => ending.mutate(),
  };
}

export type AssignmentState = ReturnType<typeof useAssignment>;
