import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { reauthentication } from "../api/reauthentication";

const Dialog = lazy(() =>
  import("./reauthentication-dialog").then((module) => ({
    default: module.ReauthenticationDialog,
  })),
);

/** Loads the dialog when a request first needs it. */
export function Reauthentication() {
  const isAsked = useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked);
  useEffect(() => () => reauthentication.answer(false), []);
  if (!isAsked) return null;
  return (
    <Suspense fallback={null}>
      <Dialog />
    </Suspense>
  );
}
