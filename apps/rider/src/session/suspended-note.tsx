import { useLanguage } from "../language/language";
import { useSuspended } from "./session";

/** No alarm: the session is kept, and goes on by itself as soon as there is an answer. */
export function SuspendedNote() {
  const { texts } = useLanguage();
  const suspended = useSuspended();
  // The region stands there always: a screen reader speaks what comes into it, not what comes with it.
  return (
    <div role="status">{suspended && <p className="suspended">{texts.ended.suspended}</p>}</div>
  );
}
