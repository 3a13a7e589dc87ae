import { useState } from "react";
import type { Segment } from "../configuration/document/document";
import { same } from "../configuration/document/same";
import { readStored, writeStored } from "../storage/storage";

/** A segment as somebody is changing it, and what it was when they began; null for one that is new. */
export interface SegmentDraft {
  readonly base: Segment | null;
  readonly segment: Segment;
}

const at = (env: string, key: string) => `musette.console.segment/${env}/${key}`;

export function keepSegmentDraft(env: string, draft: SegmentDraft): void {
  writeStored(at(env, draft.segment.key), JSON.stringify(draft));
}

function readDraft(env: string, key: string): SegmentDraft | undefined {
  try {
    const draft: SegmentDraft | null = JSON.parse(readStored(at(env, key)) ?? "null");
    return draft?.segment?.key === key && draft.segment.match ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Kept in this browser until it is saved or thrown away. */
export function useSegmentDraft(env: string, key: string, saved: Segment | undefined) {
  const [draft, setDraft] = useState(() => readDraft(env, key));
  const change = (segment: Segment) => {
    const next = { base: draft ? draft.base : (saved ?? null), segment };
    keepSegmentDraft(env, next);
    setDraft(next);
  };
  const discard = () => {
    writeStored(at(env, key), undefined);
    setDraft(undefined);
  };
  const segment = draft?.segment ?? saved;
  const isChanged = draft !== undefined && !same(draft.segment, saved);
  return { segment, base: draft?.base ?? undefined, isChanged, change, discard };
}
