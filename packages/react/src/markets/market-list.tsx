import { marketName } from "@musette/client/terms";
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { ErrorNotice, Header, Skeleton } from "../consent/frame";
import type { Texts } from "../texts";
import { arriveIn } from "./arrive";

/** Drawn at once; whoever looks for another one searches. */
const SHOWN_MAX = 100;

interface MarketListProps {
  readonly texts: Texts | undefined;
  readonly locale: string | undefined;
  readonly markets: readonly string[] | undefined;
  /** Those that the company gave, by code. */
  readonly names: Readonly<Record<string, string>>;
  /** Empty: somewhere else. */
  readonly chosen: string | undefined;
  readonly failed: boolean;
  readonly onRetry: () => void;
  readonly onBack: (() => void) | undefined;
  /** It takes the place of another screen. */
  readonly arrives: boolean;
  readonly onChoose: (code: string, place: Element | undefined) => void;
}

/** The markets by their names, with a search, and somewhere else as the last one. */
export function MarketList({ texts, onBack, onRetry, failed, ...props }: MarketListProps) {
  const { arrives, onChoose, ...rest } = props;
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  const place = () => section.current?.parentElement ?? undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    const here = place();
    if (arrives && here) arriveIn(here);
  }, []);
  const { markets } = rest;
  // Without a title: most companies have one market, and nobody is asked then.
  if (!texts || (!markets && !failed)) {
    return (
      <section className="mu-consent" aria-busy="true">
        <div className="mu-consent-body">
          <p role="status" className="mu-hidden">
            {texts?.markets.loading}
          </p>
          <Skeleton />
        </div>
      </section>
    );
  }
  const words = texts.markets;
  return (
    <section
      ref={section}
      className="mu-consent mu-markets"
      lang={texts.lang}
      dir={texts.dir}
      aria-labelledby={titleId}
    >
      <Header onBack={onBack} texts={texts.consent} />
      <div className="mu-consent-body">
        <h1 id={titleId}>{words.title}</h1>
        <p className="mu-consent-lead">{words.lead}</p>
        {markets ? (
          <Choices
            {...rest}
            words={words}
            markets={markets}
            onChoose={(code) => onChoose(code, place())}
          />
        ) : (
          <ErrorNotice retry={texts.consent.tryAgain} onRetry={onRetry}>
            {words.loadFailed}
          </ErrorNotice>
        )}
      </div>
    </section>
  );
}

interface ChoicesProps extends Pick<MarketListProps, "locale" | "names" | "chosen"> {
  readonly words: Texts["markets"];
  readonly markets: readonly string[];
  readonly onChoose: (code: string) => void;
}

function Choices({ words, markets, names, locale, chosen, onChoose }: ChoicesProps) {
  const [typed, type] = useState("");
  const searched = useDeferredValue(typed);
  const all = useMemo(() => named(markets, locale, names), [markets, locale, names]);
  const found = all.filter(({ sought }) => sought.includes(plain(searched.trim())));
  return (
    <>
      <label className="mu-markets-search">
        <span>{words.search}</span>
        <input
          type="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </label>
      <p role="status">{found.length === 0 && words.none}</p>
      <ul>
        {found.slice(0, SHOWN_MAX).map(({ code, name }) => (
          <li key={code}>
            <Choice name={name} code={code} isChosen={code === chosen} onChoose={onChoose} />
          </li>
        ))}
        <li>
          <Choice name={words.elsewhere} code="" isChosen={chosen === ""} onChoose={onChoose} />
        </li>
      </ul>
    </>
  );
}

interface ChoiceProps extends Pick<ChoicesProps, "onChoose"> {
  readonly name: string;
  readonly code: string;
  readonly isChosen: boolean;
}

const Choice = ({ name, code, isChosen, onChoose }: ChoiceProps) => (
  <button
    type="button"
    data-market={code}
    aria-current={isChosen || undefined}
    onClick={() => onChoose(code)}
  >
    {name}
  </button>
);

/** In the order of their names. */
function named(
  markets: readonly string[],
  locale: string | undefined,
  names: MarketListProps["names"],
) {
  const { compare } = new Intl.Collator(locale);
  const all = markets.map((code) => {
    const name = marketName(code, locale, names);
    return { code, name, sought: plain(`${name} ${code}`) };
  });
  return all.sort((a, b) => compare(a.name, b.name));
}

/** Without accents and cases: nobody types them on a phone. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
