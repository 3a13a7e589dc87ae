import { isOffline } from "@musette/client/terms";
import { useSyncExternalStore } from "react";

function onNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the browser reports no network now. */
export const useOffline = (): boolean => useSyncExternalStore(onNetwork, isOffline, () => false);
