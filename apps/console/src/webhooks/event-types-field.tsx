import { Button } from "@musette/react/ui";
import roleBoxStyles from "../ui/role-boxes.module.css";
import { useWebhooksTexts } from "./texts/texts";
import styles from "./webhooks.module.css";
import type { EventType } from "./webhooks-queries";

/** The server does not write these events yet, but they can already be chosen. */
const NOT_SENT_YET: readonly EventType[] = ["notice.sent", "notice.failed"];

interface EventTypesFieldProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: readonly EventType[]) => void;
}

/** Chooses the events that a webhook receives. */
export function EventTypesField({ chosen, onChange }: EventTypesFieldProps) {
  const texts = useWebhooksTexts();
  // The texts contain exactly the event types of the API, which the compiler checks.
  const all = Object.keys(texts.types) as readonly EventType[];
  const areAll = chosen.length === all.length;
  return (
    <fieldset className={roleBoxStyles.boxes}>
      <legend>{texts.events}</legend>
      <div>
        <Button kind="secondary" onClick={() => onChange(areAll ? [] : all)}>
          {areAll ? texts.chooseNone : texts.chooseAll}
        </Button>
      </div>
      <div className={styles.types}>
        {all.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              className="mu-checkbox"
              checked={chosen.includes(type)}
              onChange={({ target }) =>
                onChange(
                  all.filter((eventType) =>
                    eventType === type ? target.checked : chosen.includes(eventType),
                  ),
                )
              }
            />
            <span>
              {texts.types[type]}
              <small className="note">
                <bdi className="mono">{type}</bdi>
                {NOT_SENT_YET.includes(type) && ` ${texts.notSentYet}`}
              </small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
