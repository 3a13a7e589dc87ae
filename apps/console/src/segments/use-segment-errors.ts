import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { type ConfigurationError, errorsIn } from "../configuration/document/errors";
import { environmentKey } from "../configuration/document/flags-document";

const PAUSE_MS = 300;
const NONE: readonly ConfigurationError[] = [];

/** Returns the errors that the server reports for an edited segment. */
export function useSegmentErrors(
  env: string,
  document: FlagsDocument,
  key: string,
  isChanged: boolean,
): readonly ConfigurationError[] {
  // Without the flags: they may be many, and do not affect whether a segment is valid.
  const text = JSON.stringify({ ...document, flags: [], holdouts: [], layers: [] });
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const checked = useQuery({
    queryKey: [...environmentKey(env), "segment-check", settled],
    queryFn: () =>
      api.post("/api/admin/v1/environments/{environment}/check", {
        path: { environment: env },
        body: JSON.parse(settled),
      }),
    enabled: isChanged,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const errors = isChanged ? checked.data?.faults : undefined;
  return errors ? errorsIn(JSON.parse(settled), errors, "segments", key) : NONE;
}
