import { marketName } from "@musette/client/terms";
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { ErrorNotice, Header, Skeleton } from "../consent/frame";
import type { Texts } from "../texts";
import { focusHeading } from "./arrive";

/** The maximum number of markets in the list. The user finds others by search. */
const SHOWN_MAX = 100;

interface MarketListProps {
  readonly texts: Texts | undefined;
  readonly locale: string | undefined;
  readonly markets: readonly string[] | undefined;
  /** The names from the company, by code. */
  readonly names: Readonly<Record<string, string>>;
  /** The chosen code; empty for "somewhere else". */
  readonly chosen: string | undefined;
  /** Whether the page was opened by a link whose place is not in the list. */
  readonly isLinkUnknown: boolean;
  readonly failed: boolean;
  readonly onRetry: () => void;
  readonly onBack: (() => void) | undefined;
  /** Whether the list replaces another screen. */
  readonly replacesScreen: boolean;
  readonly onChoose: (code: string, container: Element | undefined) => void;
}

/** The list of markets with a search field. The last item is "somewhere else". */
export function MarketList({ texts, onBack, onRetry, failed, ...props }: MarketListProps) {
  const { replacesScreen, isLinkUnknown, onChoose, ...rest } = props;
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  const container = () => section.current?.parentElement ?? undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once on mount
  useEffect(() => {
    const element = container();
    if (replacesScreen && element) focusHeading(element);
  }, []);
  const { markets } = rest;
  // No title while loading, because most companies have one market and the list is not shown.
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
  const labels = texts.markets;
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
        <h1 id={titleId}>{labels.title}</h1>
        <p className="mu-consent-lead">{isLinkUnknown ? labels.unknownLink : labels.lead}</p>
        {markets ? (
          <Choices
            {...rest}
            labels={labels}
            markets={markets}
            onChoose={(code) => onChoose(code, container())}
          />
        ) : (
          <ErrorNotice retry={texts.consent.tryAgain} onRetry={onRetry}>
            {labels.loadFailed}
          </ErrorNotice>
        )}
      </div>
    </section>
  );
}

interface ChoicesProps extends Pick<MarketListProps, "locale" | "names" | "chosen"> {
  readonly labels: Texts["markets"];
  readonly markets: readonly string[];
  readonly onChoose: (code: string) => void;
}

function Choices({ labels, markets, names, locale, chosen, onChoose }: ChoicesProps) {
  const [input, setInput] = useState("");
  const searchText = useDeferredValue(input);
  const all = useMemo(() => sortedByName(markets, locale, names), [markets, locale, names]);
  const matches = all.filter(({ normalized }) => normalized.includes(normalize(searchText.trim())));
  return (
    <>
      <label className="mu-markets-search">
        <span>{labels.search}</span>
        <input
          type="search"
          autoComplete="off"
          value={input}
          onChange={(event) => setInput(event.target.value)}
        />
      </label>
      <p role="status">{matches.length === 0 && labels.none}</p>
      <ul>
        {matches.slice(0, SHOWN_MAX).map(({ code, name }) => (
          <li key={code}>
            <Choice name={name} code={code} isChosen={code === chosen} onChoose={onChoose} />
          </li>
        ))}
        <li>
          <Choice name={labels.elsewhere} code="" isChosen={chosen === ""} onChoose={onChoose} />
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

/** Returns the markets with their names, sorted by name. */
function sortedByName(
  markets: readonly string[],
  locale: string | undefined,
  names: MarketListProps["names"],
) {
  const { compare } = new Intl.Collator(locale);
  const all = markets.map((code) => {
    const name = marketName(code, locale, names);
    return { code, name, normalized: normalize(`${name} ${code}`) };
  });
  return all.sort((a, b) => compare(a.name, b.name));
}

/** Removes accents and upper case, because users rarely type them on a phone. */
const normalize = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
