import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Progress } from "../api/download";

export interface ExportOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const NOTHING: Progress = { bytes: 0, rows: 0 };

/** The state of a download: its progress, and a way to cancel it. */
export function useSaving(save: (options: ExportOptions) => Promise<void>) {
  const [progress, setProgress] = useState(NOTHING);
  const cancel = useRef<AbortController>(undefined);
  const saving = useMutation({
    mutationFn() {
      cancel.current = new AbortController();
      setProgress(NOTHING);
      return save({ signal: cancel.current.signal, onProgress: setProgress });
    },
  });
  const wasCancelled = saving.error?.name === "AbortError";
  return {
    progress,
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    wasCancelled,
    failure: wasCancelled ? null : saving.error,
    start: () => saving.mutate(),
    cancel: () => cancel.current?.abort(),
  };
}
