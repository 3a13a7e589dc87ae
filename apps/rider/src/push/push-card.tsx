import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { company } from "../company/company";
import { usePageLanguage } from "../language/page-language";
import { refusePush, turnOnPush } from "./follow-push";
import { choiceOf } from "./push-choices";
import { pushPermission } from "./push-support";
import { useTurnPush } from "./use-turn-push";

/**
 * Asks a rider once, before the browser does: a refusal in the browser's own question is final.
 * Shows nothing if the browser cannot, has refused, or the rider has answered before.
 */
export function PushCard({ userId }: { readonly userId: string }) {
  const [asks, setAsks] = useState(() => mayAsk(userId));
  const [isOn, setIsOn] = useState(false);
  const titleId = useId();
  const { push } = usePageLanguage().texts;
  const { busy, failure, turn } = useTurnPush();
  if (isOn) {
    return (
      <p className="card" role="status">
        {push.isOn}
      </p>
    );
  }
  if (!asks) return null;
  const { name } = company();

  async function accept(): Promise<void> {
    await turn(async () => {
      setIsOn(await turnOnPush(userId));
      setAsks(false);
    });
  }

  function refuse(): void {
    refusePush(userId);
    setAsks(false);
  }

  return (
    <section className="card push-card" aria-labelledby={titleId}>
      <h2 id={titleId}>{push.ask}</h2>
      <p>{name ? push.askText(name) : push.askTextPlain}</p>
      {failure}
      <div className="ways">
        <Button kind="secondary" loading={busy} onClick={accept}>
          {push.turnOn}
        </Button>
        <Button kind="quiet" onClick={refuse}>
          {push.refuse}
        </Button>
      </div>
    </section>
  );
}

function mayAsk(userId: string): boolean {
  const permission = pushPermission();
  const canAsk = permission === "default" || permission === "granted";
  return canAsk && choiceOf(userId) === undefined;
}
