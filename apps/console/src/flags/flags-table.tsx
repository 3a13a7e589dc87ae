import type { Flag } from "../configuration/document/document";
import flagStyles from "../configuration/document/flag.module.css";
import { FlagLink } from "../configuration/document/flag-link";
import { type Column, LongTable } from "../table/long-table";
import flagsStyles from "./flags.module.css";
import { Switch } from "./kill-switch";
import { useFlagsTexts } from "./texts/texts";
import { useServedSummary } from "./use-served";

export function FlagsTable(props: {
  readonly flags: readonly Flag[];
  readonly stale: ReadonlySet<string>;
  readonly onAsk: (flag: Flag) => void;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}) {
  const texts = useFlagsTexts();
  const { flags, stale, onAsk, sort, onSort } = props;
  const served = useServedSummary();
  const columns: readonly Column<Flag>[] = [
    {
      id: "key",
      title: texts.flag,
      isSortable: true,
      width: "29%",
      cell: (flag) => (
        <div className={flagStyles.flagName}>
          <span>
            <FlagLink flag={flag.key} />
            {stale.has(flag.key) && (
              <span className="chip" data-tone="warning">
                {texts.states.stale}
              </span>
            )}
            {flag.archived && <span className="chip">{texts.states.archived}</span>}
          </span>
          {flag.description && <span className="note">{flag.description}</span>}
        </div>
      ),
    },
    { id: "served", title: texts.gives, width: "22%", cell: (flag) => <span>{served(flag)}</span> },
    {
      id: "owner",
      title: texts.owner,
      isSortable: true,
      width: "14%",
      cell: ({ owner }) => owner && <bdi>{owner}</bdi>,
    },
    {
      id: "tags",
      title: texts.tag,
      width: "20%",
      cell: ({ tags }) =>
        tags.length > 0 && (
          <span className={flagsStyles.tags}>
            {tags.map((tag) => (
              <bdi key={tag} className={flagsStyles.tag}>
                {tag}
              </bdi>
            ))}
          </span>
        ),
    },
    {
      id: "on",
      title: texts.onOff,
      isSortable: true,
      width: "15%",
      cell: (flag) => !flag.archived && <Switch flag={flag} onAsk={onAsk} />,
    },
  ];
  return (
    <div className={flagsStyles.flagsTable}>
      <LongTable
        label={texts.title}
        columns={columns}
        rows={flags}
        rowKey={({ key }) => key}
        isMore={false}
        isLoading={false}
        onMore={none}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}

const none = () => undefined;
