import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { session } from "../../session/session";
import { storedValue } from "../../storage/storage";
import { draftsQuery } from "../terms-query";
import type { Draft } from "./draft";
import { readDraft, writeDraft } from "./draft-calls";
import { DraftKeeper, type Unsaved } from "./draft-keeper";

/** One person's draft: on a shared computer, no other person may see the unsaved text. */
const storedDraft = (id: string) =>
  storedValue(
    `musette.draft.${session.getState().userId}.${id}`,
    (value) => (value as Unsaved | null) ?? undefined,
  );

export const forgetDraft = (id: string) => storedDraft(id).write(undefined);

/** The state of a draft that is edited on this page. */
export function useDraft(first: Draft) {
  const client = useQueryClient();
  const { id } = first;
  const [{ keeper, wasRestored }] = useState(() => {
    const { read: remembered, write: remember } = storedDraft(id);
    const unsaved = remembered();
    const io = {
      read: () => readDraft(id),
      write: writeDraft.bind(undefined, id),
      remember,
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
      // A person who leaves the page does not wait for the typing pause, so the changes are saved
      // now.
      void keeper.flush().then(() => {
        keeper.stop();
        return client.invalidateQueries({ queryKey: draftsQuery.queryKey });
      });
    };
  }, [keeper, client]);

  return { keeper, wasRestored, ...useSyncExternalStore(keeper.subscribe, keeper.now) };
}
