import { newIdempotencyKey } from "@musette/client/terms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { toasts } from "../toast/toasts";
import { makeTransition, refreshEvaluations } from "./evaluations-queries";
import type { EvaluationDetail, Transition } from "./model";
import { problemCode } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";

type Change = Omit<Transition, "version">;

/**
 * Makes a transition of the version on the page. After a conflict the page shows the new version, and
 * the form keeps its text.
 */
export function useTransition({ id, version }: EvaluationDetail, onDone: () => void) {
  const texts = useEvaluationsTexts();
  const client = useQueryClient();
  const last = useRef<{ readonly of: string; readonly key: string }>(undefined);
  return useMutation({
    mutationFn: (change: Change) => {
      const body = { ...change, version };
      const of = JSON.stringify(body);
      // A retry of the same request is recorded once.
      if (last.current?.of !== of) last.current = { of, key: newIdempotencyKey() };
      return makeTransition({ id, key: last.current.key }, body);
    },
    onSuccess: async () => {
      onDone();
      await refreshEvaluations(client);
    },
    onError: async (error) => {
      const code = problemCode(error);
      // The new version may have no form that could show it.
      if (code === "conflict") toasts.say(texts.problems.conflict);
      if (code) await refreshEvaluations(client);
    },
  });
}
