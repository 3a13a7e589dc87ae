import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { type Fault, faultsIn } from "../configuration/document/faults";
import { environmentKey } from "../configuration/document/flags-document";

const PAUSE_MS = 300;
const NONE: readonly Fault[] = [];

/** Returns the errors that the server reports for an edited segment. */
export function useSegmentFaults(
  env: string,
  document: FlagsDocument,
  key: string,
  isChanged: boolean,
): readonly Fault[] {
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
  const faults = isChanged ? checked.data?.faults : undefined;
  return faults ? faultsIn(JSON.parse(settled), faults, "segments", key) : NONE;
}
