import {
  DEFAULT_TERMS_TYPE,
  fetchMarkets,
  marketName,
  type TermsClientOptions,
} from "@musette/client/terms";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Read, useRead } from "../reading/use-read";
import type { TextOverrides } from "../texts";
import { pageLanguage, useTexts } from "../texts/use-texts";
import { arriveIn } from "./arrive";
import { MarketList } from "./market-list";
import { rememberedMarket, rememberMarket } from "./remembered";

type OfferedMarkets = Awaited<ReturnType<typeof fetchMarkets>>;

const NO_NAMES: Readonly<Record<string, string>> = {};

/** What an applicant chose, and the way back to the list. */
export interface Chosen {
  /** Its name in the language; undefined for somewhere else. */
  readonly name: string | undefined;
  /** Says what was chosen. */
  readonly text: string;
  readonly changeText: string;
  change(): void;
}

/** Props of `MarketFirst`. */
export interface MarketFirstProps extends Pick<TermsClientOptions, "baseUrl" | "fetch" | "locale"> {
  /** Where the applicant wants to work, if the host knows it: then nobody is asked. */
  readonly market?: string | undefined;
  /** The answer to the question for the markets, if it came with the page. */
  readonly initialMarkets?: OfferedMarkets | undefined;
  /** The type of terms. Default `FREELANCER`. */
  readonly termsType?: string | undefined;
  readonly texts?: TextOverrides | undefined;
  /** Adds a back button to the header of the list. */
  readonly onBack?: (() => void) | undefined;
  /** Draws what comes after the choice. `chosen` is undefined if there was nothing to choose. */
  readonly children: (market: string | undefined, chosen: Chosen | undefined) => ReactNode;
}

/** Asks an applicant where they want to work, unless the host says it or there is only one answer. */
export function MarketFirst(props: MarketFirstProps) {
  const { market, termsType = DEFAULT_TERMS_TYPE, baseUrl, fetch, children } = props;
  const list = useRead(market ? null : ["musette/markets", baseUrl, termsType], {
    fetch: () => fetchMarkets({ termsType }, { baseUrl, fetch }),
    initial: props.initialMarkets,
  });
  if (market) return children(market, undefined);
  if (list.data?.markets.length === 0) return children(undefined, undefined);
  return <Choice {...props} list={list} />;
}

interface ChoiceProps extends MarketFirstProps {
  readonly list: Read<OfferedMarkets>;
}

/** Apart, since its words are fetched: most companies have no markets. */
function Choice({ list, children, ...props }: ChoiceProps) {
  const locale = props.locale ?? pageLanguage();
  const texts = useTexts(locale, props.texts);
  const [picked, pick] = useState(rememberedMarket);
  const [asking, ask] = useState(false);
  // Where the list was, once it is left.
  const place = useRef<Element>(undefined);
  useEffect(() => {
    if (place.current) arriveIn(place.current);
    place.current = undefined;
  });
  // An answer that a service worker kept of a server of before has no names.
  const { markets, names = NO_NAMES } = list.data ?? {};
  // A choice of before counts until the list, which may be out of reach, says otherwise.
  const stands = picked !== undefined && (!markets || !picked || markets.includes(picked));
  const answer = stands ? picked : markets?.length === 1 ? markets[0] : undefined;

  if (answer === undefined || asking) {
    return (
      <MarketList
        texts={texts}
        locale={locale}
        markets={markets}
        names={names}
        chosen={answer}
        failed={list.error !== undefined && !list.isFetching}
        onRetry={() => void list.refetch()}
        onBack={asking ? () => ask(false) : props.onBack}
        arrives={asking}
        onChoose={(code, from) => {
          place.current = from;
          rememberMarket(code);
          pick(code);
          ask(false);
        }}
      />
    );
  }
  const name = answer ? marketName(answer, locale, names) : undefined;
  const chosen = texts && {
    name,
    text: name ? texts.markets.chosen(name) : texts.markets.elsewhere,
    changeText: texts.markets.change,
    change: () => ask(true),
  };
  return children(answer || undefined, chosen);
}
