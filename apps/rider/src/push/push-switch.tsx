import { useId, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { isPushOn, turnOffPush, turnOnPush } from "./follow-push";
import { pushPermission } from "./push-support";
import { useTurnPush } from "./use-turn-push";

/** Turns push messages on and off on this device. Shows nothing if the browser has none. */
export function PushSwitch({ userId }: { readonly userId: string }) {
  const [permission, setPermission] = useState(pushPermission);
  const [isOn, setIsOn] = useState(() => isPushOn(userId));
  const { busy, failure, turn } = useTurnPush();
  const titleId = useId();
  const labelId = useId();
  const { push } = usePageLanguage().texts;
  if (permission === undefined) return null;

  const change = () =>
    turn(async () => {
      if (isOn) await turnOffPush(userId);
      else await turnOnPush(userId);
      setPermission(pushPermission());
      setIsOn(isPushOn(userId));
    });

  return (
    <section className="card push-card" aria-labelledby={titleId}>
      <h2 id={titleId}>{push.title}</h2>
      {permission === "denied" ? (
        <p>{push.blocked}</p>
      ) : (
        <label className="switch">
          <input
            type="checkbox"
            // biome-ignore lint/a11y/useAriaPropsForRole: the native state says whether it is on
            role="switch"
            aria-labelledby={`${labelId} ${titleId}`}
            aria-busy={busy || undefined}
            checked={isOn}
            onChange={change}
          />
          <span id={labelId}>{push.label}</span>
        </label>
      )}
      {failure}
    </section>
  );
}
