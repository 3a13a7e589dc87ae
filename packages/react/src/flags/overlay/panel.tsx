import type { FlagClient } from "@musette/client/flags";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { FlagRow } from "./flag-row";
import { Surface } from "./surface";
import type { OverlayTexts } from "./texts";
import { useOverlayTexts } from "./use-overlay-texts";

export interface PanelProps {
  readonly client: FlagClient;
  readonly locale?: string | undefined;
}

export function FlagsPanel({ client, locale }: PanelProps) {
  const texts = useOverlayTexts(locale);
  return texts ? (
    <Surface>
      <Panel client={client} texts={texts} />
    </Surface>
  ) : null;
}

interface InnerProps {
  readonly client: FlagClient;
  readonly texts: OverlayTexts;
}

function Panel({ client, texts }: InnerProps) {
  const subscribe = useCallback((changed: () => void) => client.subscribe([], changed), [client]);
  const { user, version, flags, experiments, holdouts } = useSyncExternalStore(subscribe, () =>
    client.snapshot(),
  );
  const [open, setOpen] = useState(true);
  const [search, setSearch] = useState("");
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(true);

  // Renders every 10 s to update the ages.
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 10_000);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    // Only after the user has closed it. On mount it must not take the focus from the page.
    if (wasOpen.current && !open) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);

  const changed = flags.filter((flag) => flag.overridden).length;
  if (!open) {
    return (
      <button
        ref={opener}
        type="button"
        className="opener"
        dir={texts.dir}
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        {texts.open}
        {changed > 0 && <span className="mark">{texts.changed(changed)}</span>}
      </button>
    );
  }

  const matches = flags.filter(({ key }) =>
    key.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const closeOnEscape = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
  return (
    <section aria-label={texts.title} lang={texts.lang} dir={texts.dir} onKeyDown={closeOnEscape}>
      <header>
        <h2>{texts.title}</h2>
        <button type="button" aria-expanded={true} onClick={() => setOpen(false)}>
          {texts.close}
        </button>
      </header>
      <div className="body">
        <p className="person">
          {user ? (
            <>
              {texts.person} <bdi>{user.userId ?? user.key ?? user.email ?? "?"}</bdi>
            </>
          ) : (
            texts.nobody
          )}
          {version !== undefined && <span>{` · ${texts.version} ${version}`}</span>}
        </p>
        <div className="tools">
          <input
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {changed > 0 && (
            <button type="button" onClick={() => client.overrides.clear()}>
              {texts.resetAll}
            </button>
          )}
        </div>
        <p role="status">
          {changed > 0 ? texts.changed(changed) : matches.length === 0 && texts.none}
        </p>
        <ul>
          {matches.map((flag) => (
            <FlagRow key={flag.key} flag={flag} overrides={client.overrides} texts={texts} />
          ))}
        </ul>
        <Memberships
          title={texts.experiments}
          rows={experiments.map(({ key, variation, phase }) => [
            key,
            `${variation} · ${texts.phase} ${phase}`,
          ])}
        />
        <Memberships
          title={texts.holdouts}
          rows={holdouts.map(({ key, group }) => [key, texts.group[group]])}
        />
      </div>
    </section>
  );
}

function Memberships(props: {
  readonly title: string;
  readonly rows: readonly (readonly [key: string, description: string])[];
}) {
  if (props.rows.length === 0) return null;
  return (
    <>
      <h3>{props.title}</h3>
      <dl>
        {props.rows.map(([key, description]) => (
          <div key={key}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
