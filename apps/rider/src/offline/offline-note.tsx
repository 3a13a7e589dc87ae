import { isOffline } from "@musette/client/terms";
import { useSyncExternalStore } from "react";
import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language";
import { useSuspended } from "../session/session";

function onNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/**
 * Says calmly that there is no network. The loaded content remains, and the session continues with
 * the next answer.
 */
export function OfflineNote() {
  const { texts } = useLanguage();
  const offline = useSyncExternalStore(onNetwork, isOffline);
  const suspended = useSuspended();
  const note = offline ? texts.offline.note : suspended ? texts.ended.suspended : undefined;
  // The region is always present: a screen reader announces only changes inside an existing region.
  return <div role="status">{note && <p className="suspended">{note}</p>}</div>;
}

/** Shows when a kept answer was received. */
export function AsOf({ at }: { readonly at: number | undefined }) {
  const { language, texts } = useLanguage();
  if (at === undefined) return null;
  const when = dateAndTime(language.tag, new Date(at).toISOString());
  return <p className="note as-of">{texts.offline.asOf(when)}</p>;
}
