import { Button } from "@musette/react/ui";
import { useInstant } from "../language/dates";
import type { Column } from "../table/long-table";
import whoStyles from "../ui/who.module.css";
import styles from "./settings.module.css";
import type { Key } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

export function useKeyColumns(onRevoke: ((key: Key) => void) | undefined): readonly Column<Key>[] {
  const words = useSettingsTexts();
  const written = useInstant();
  const moment = (at: string) => <time dateTime={at}>{written(at)}</time>;
  return [
    {
      id: "name",
      title: words.key,
      width: "32%",
      cell: ({ id, name }) => (
        <div className={whoStyles.who}>
          <bdi className={styles.keyName}>{name ?? words.unnamed}</bdi>
          <bdi className="mono note">{id}</bdi>
        </div>
      ),
    },
    {
      id: "kind",
      title: words.kind,
      width: "16%",
      cell: ({ kind, debug }) => (
        <div className={whoStyles.who}>
          {words.kinds[kind]}
          {debug && <span className="note">{words.seesTraces}</span>}
        </div>
      ),
    },
    {
      id: "used",
      title: words.lastUsed,
      width: "18%",
      cell: ({ last_used_at: at }) =>
        at ? moment(at) : <span className="note">{words.never}</span>,
    },
    {
      id: "created",
      title: words.created,
      width: "18%",
      cell: ({ created_at }) => moment(created_at),
    },
    {
      id: "state",
      title: words.state,
      width: "16%",
      cell: (key) => <State held={key} onRevoke={onRevoke} />,
    },
  ];
}

interface StateProps {
  readonly held: Key;
  readonly onRevoke: ((key: Key) => void) | undefined;
}

function State({ held, onRevoke }: StateProps) {
  const words = useSettingsTexts();
  const written = useInstant();
  if (held.revoked_at) {
    return (
      <span className="chip" data-tone="bad" title={written(held.revoked_at)}>
        {words.revoked}
      </span>
    );
  }
  if (!onRevoke) {
    return (
      <span className="chip" data-tone="good">
        {words.inUse}
      </span>
    );
  }
  return (
    <Button
      kind="secondary"
      aria-label={words.revokeThis(held.name ?? held.id)}
      onClick={() => onRevoke(held)}
    >
      {words.revoke}
    </Button>
  );
}
