import { Button } from "@musette/react/ui";
import { useInstant } from "../language/dates";
import type { Column } from "../table/long-table";
import whoStyles from "../ui/who.module.css";
import styles from "./settings.module.css";
import type { Key } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

export function useKeyColumns(onRevoke: ((key: Key) => void) | undefined): readonly Column<Key>[] {
  const texts = useSettingsTexts();
  const written = useInstant();
  const moment = (at: string) => <time dateTime={at}>{written(at)}</time>;
  return [
    {
      id: "name",
      title: texts.key,
      width: "32%",
      cell: ({ id, name }) => (
        <div className={whoStyles.who}>
          <bdi className={styles.keyName}>{name ?? texts.unnamed}</bdi>
          <bdi className="mono note">{id}</bdi>
        </div>
      ),
    },
    {
      id: "kind",
      title: texts.kind,
      width: "16%",
      cell: ({ kind, debug }) => (
        <div className={whoStyles.who}>
          {texts.kinds[kind]}
          {debug && <span className="note">{texts.seesTraces}</span>}
        </div>
      ),
    },
    {
      id: "used",
      title: texts.lastUsed,
      width: "18%",
      cell: ({ last_used_at: at }) =>
        at ? moment(at) : <span className="note">{texts.never}</span>,
    },
    {
      id: "created",
      title: texts.created,
      width: "18%",
      cell: ({ created_at }) => moment(created_at),
    },
    {
      id: "state",
      title: texts.state,
      width: "16%",
      cell: (key) => <State flagKey={key} onRevoke={onRevoke} />,
    },
  ];
}

interface StateProps {
  readonly flagKey: Key;
  readonly onRevoke: ((key: Key) => void) | undefined;
}

function State({ flagKey, onRevoke }: StateProps) {
  const texts = useSettingsTexts();
  const written = useInstant();
  if (flagKey.revoked_at) {
    return (
      <span className="chip" data-tone="bad" title={written(flagKey.revoked_at)}>
        {texts.revoked}
      </span>
    );
  }
  if (!onRevoke) {
    return (
      <span className="chip" data-tone="good">
        {texts.inUse}
      </span>
    );
  }
  return (
    <Button
      kind="secondary"
      aria-label={texts.revokeThis(flagKey.name ?? flagKey.id)}
      onClick={() => onRevoke(flagKey)}
    >
      {texts.revoke}
    </Button>
  );
}
