import { HttpError } from "@musette/client/http";
import { useEffect, useRef, useState } from "react";
import type { DraftKeeper } from "./draft-keeper";
import { DOCUMENT_BYTES_MAX, type Drawn, uploadDocument } from "./upload";

export type Upload =
  | { readonly kind: "waiting"; readonly fileName: string }
  | { readonly kind: "drawing"; readonly fileName: string; readonly drawn?: Drawn }
  | { readonly kind: "sending"; readonly fileName: string; readonly part: number }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly detail?: string;
      /** The file could be accepted with a reason. */
      readonly file?: File;
    };

/** Returns the error that is known before the file is sent. */
function refusal(file: File): string | undefined {
  if (file.size > DOCUMENT_BYTES_MAX) return "body_too_large";
  return file.type && file.type !== "application/pdf" ? "unsupported_media_type" : undefined;
}

/** Limits with their own texts, which say what to do. */
const LIMITS: Readonly<Record<string, string>> = {
  document_too_many_pages: "too_many_pages",
  document_render_timeout: "too_costly",
  document_render_memory: "too_costly",
};

function failureOf(error: unknown, file: File): Upload {
  if (!(error instanceof HttpError)) return { kind: "failed", code: "offline" };
  const { problem } = error;
  if (problem?.code !== "unreadable_document") {
    return { kind: "failed", code: problem?.code ?? "other" };
  }
  // A file that is not a PDF cannot be accepted with any reason.
  const isPdf = problem.errors?.every(({ code }) => code !== "document_not_pdf");
  const code = LIMITS[problem.errors?.[0]?.code ?? ""] ?? problem.code;
  return { kind: "failed", code, detail: problem.detail, ...(isPdf && { file }) };
}

/** The upload for one language, until it is complete, fails or is cancelled. */
export function useUpload(keeper: DraftKeeper, locale: string) {
  const [state, setState] = useState<Upload>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isBusy = state !== undefined && state.kind !== "failed";
  useEffect(() => {
    if (!isBusy) return;
    // Typed text survives a reload, but an upload in progress does not.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);

  function start(file: File, reason?: string): void {
    const code = refusal(file);
    if (code) {
      setState({ kind: "failed", code });
      return;
    }
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (next: Upload | undefined) => running.current === controller && setState(next);
    const fileName = file.name;
    const onProgress = (part: number) =>
      show(part < 1 ? { kind: "sending", fileName, part } : { kind: "drawing", fileName });
    show({ kind: "waiting", fileName });
    const upload = keeper.change((stored) => {
      signal.throwIfAborted();
      onProgress(0);
      return uploadDocument(stored, locale, file, {
        signal,
        onProgress,
        onDrawn: (drawn) => show({ kind: "drawing", fileName, drawn }),
        ...(reason && { reason }),
      });
    });
    upload.then(
      () => show(undefined),
      (error: unknown) => show(signal.aborted ? undefined : failureOf(error, file)),
    );
  }

  function cancel(): void {
    running.current?.abort();
    setState(undefined);
  }

  return { state, start, cancel };
}
