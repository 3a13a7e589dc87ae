import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import type { FlagsDocument, Json } from "../../configuration/document/document";
import { type ConfigurationError, errorsIn, errorsOf } from "../../configuration/document/errors";
import { environmentKey } from "../../configuration/document/flags-document";
import { partAffecting } from "../part-for";

export type TraceStep = Wire<"TraceStepBody">;

export type Evaluated = Wire<"ResultBody">;

const PAUSE_MS = 300;

/** Returns the value once it has not changed for a moment, so that an incomplete word is not sent. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface PreviewRequest {
  readonly env: string;
  readonly document: FlagsDocument;
  readonly flag: string;
  readonly attributes: Readonly<Record<string, Json>>;
  /** Empty means now. */
  readonly at: string;
}

/** Returns what a person would get from the unsaved flag, and why; or its errors. */
export function usePreview({ env, document, flag, attributes, at }: PreviewRequest) {
  const text = JSON.stringify({
    document: partAffecting(document, flag),
    flags: [flag],
    attributes,
    ...(at && { at }),
  });
  const settled = useSettled(text);
  const query = useQuery({
    queryKey: [...environmentKey(env), "preview", flag, settled],
    queryFn: () =>
      api.post("/api/admin/v1/environments/{environment}/evaluate", {
        path: { environment: env },
        body: JSON.parse(settled),
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const errors = errorsOf(query.error);
  const part = (JSON.parse(settled) as { readonly document: FlagsDocument }).document;
  return {
    result: query.isError ? undefined : query.data?.flags[flag],
    errors: errors ? errorsIn(part, errors, "flags", flag) : NONE,
    /** In objects other than this flag. */
    others: errors?.filter((error) => !errorsIn(part, [error], "flags", flag).length) ?? NONE,
    error: query.isError && !errors ? query.error : undefined,
    isSettled: settled === text && !query.isFetching,
  };
}

const NONE: readonly ConfigurationError[] = [];
