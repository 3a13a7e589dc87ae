import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { session } from "../../session/session";
import { readStored, writeStored } from "../../storage/storage";
import { draftsQuery } from "../terms-query";
import type { Draft } from "./draft";
import { readDraft, writeDraft } from "./draft-calls";
import { DraftKeeper, type Unsaved } from "./draft-keeper";

/** Of one person: on a shared computer nobody meets the unsaved words of another. */
const place = (id: string) => `musette.draft.${session.getState().userId}.${id}`;

function remembered(id: string): Unsaved | undefined {
  try {
    return JSON.parse(readStored(place(id)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export const forgetDraft = (id: string) => writeStored(place(id), undefined);

/** A draft as it is edited on this page. */
export function useDraft(first: Draft) {
  const client = useQueryClient();
  const { id } = first;
  const [{ keeper, wasRestored }] = useState(() => {
    const unsaved = remembered(id);
    const io = {
      read: () => readDraft(id),
      write: writeDraft.bind(undefined, id),
      remember: (next: Unsaved | undefined) => writeStored(place(id), next && JSON.stringify(next)),
    };
    return { keeper: new DraftKeeper(io, first, unsaved), wasRestored: unsaved !== undefined };
  });

  useEffect(() => {
    const flush = () => void keeper.flush();
    const hide = () => document.visibilityState === "hidden" && flush();
    keeper.start();
    addEventListener("online", flush);
    document.addEventListener("visibilitychange", hide);
    return () => {
      removeEventListener("online", flush);
      document.removeEventListener("visibilitychange", hide);
      // Whoever goes to another page has done so without waiting for the pause.
      void keeper.flush().then(() => {
        keeper.stop();
        return client.invalidateQueries({ queryKey: draftsQuery.queryKey });
      });
    };
  }, [keeper, client]);

  return { keeper, wasRestored, ...useSyncExternalStore(keeper.subscribe, keeper.now) };
}
