import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useMay } from "../api/use-may";
import type { FlagsDocument } from "../configuration/document/document";
import { staleQuery } from "../configuration/document/stale-query";
import { FlagsFrame } from "../configuration/frame";
import { useShortcut } from "../keyboard/use-shortcut";
import { useLanguage } from "../language/language-context";
import { ListTools } from "../table/list-tools";
import { sorted } from "../table/sort";
import { ForRoles } from "../ui/for-roles";
import { PageTools } from "../ui/page-tools";
import styles from "./flags.module.css";
import { FlagsFilter } from "./flags-filter";
import { FlagsTable } from "./flags-table";
import { useKillSwitch } from "./kill-switch";
import { listFlags, SORTED_BY } from "./list-flags";
import { NewFlagDialog } from "./new-flag";
import { useFlagsTexts } from "./texts/texts";
import { Unsaved } from "./unsaved";

export function FlagsPage() {
  const texts = useFlagsTexts();
  return (
    <FlagsFrame title={texts.title} intro={texts.intro}>
      {(env, { body }) => <Flags key={env} env={env} document={body} />}
    </FlagsFrame>
  );
}

function Flags({ env, document: it }: { readonly env: string; readonly document: FlagsDocument }) {
  const texts = useFlagsTexts();
  const { language } = useLanguage();
  const search = useSearch({ from: "/inside/environment/flags" });
  const navigate = useNavigate({ from: "/flags" });
  const stale = useQuery(staleQuery(env));
  const [isNew, setNew] = useState(false);
  const kill = useKillSwitch(env);
  const may = useMay();
  const staleKeys = useMemo(() => new Set(stale.data?.items.map(({ flag }) => flag)), [stale.data]);
  const shown = useMemo(
    () =>
      sorted(listFlags(it.flags, search, staleKeys), search.sort ?? "key", SORTED_BY, language.tag),
    [it.flags, search, staleKeys, language.tag],
  );
  useShortcut({
    key: "k",
    label: texts.killKey,
    run: () => {
      const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-flag]");
      const flag = it.flags.find(({ key }) => key === row?.dataset.flag);
      if (flag && !flag.archived && may("flags", env)) kill.ask(flag);
    },
  });

  return (
    <>
      <PageTools>
        <ForRoles task="flags" scope={env}>
          <Button onClick={() => setNew(true)}>{texts.newFlag}</Button>
        </ForRoles>
      </PageTools>
      <FlagsFilter search={search} flags={it.flags} />
      <Unsaved env={env} />
      {it.flags.length === 0 && (
        <div className="card calm">
          <p>{texts.empty}</p>
          <p className="note">{texts.emptyHint}</p>
        </div>
      )}
      <ListTools count={it.flags.length > 0 && texts.shown(shown.length, it.flags.length)} />
      {it.flags.length > 0 && shown.length === 0 && (
        <div className="card calm">
          <p>{texts.nothing}</p>
          <p className="note">{texts.nothingHint}</p>
        </div>
      )}
      {shown.length > 0 && (
        <FlagsTable
          flags={shown}
          stale={staleKeys}
          onAsk={kill.ask}
          sort={search.sort}
          onSort={(sort) =>
            void navigate({
              search: ({ sort: _, ...former }) => (sort ? { ...former, sort } : former),
              replace: true,
            })
          }
        />
      )}
      {shown.length > 0 && <p className={`note ${styles.keyHint}`}>{texts.killHint}</p>}
      {kill.dialog}
      <NewFlagDialog env={env} document={it} open={isNew} onClose={() => setNew(false)} />
    </>
  );
}
