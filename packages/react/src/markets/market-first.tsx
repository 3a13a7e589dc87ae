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
import { focusHeading } from "./arrive";
import { MarketList } from "./market-list";
import { rememberedMarket, rememberMarket } from "./remembered";

type OfferedMarkets = Awaited<ReturnType<typeof fetchMarkets>>;

const NO_NAMES: Readonly<Record<string, string>> = {};

/** A country or a subdivision. The server accepts every one of them, also if the list does not offer it. */
const AREA = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** The choice of an applicant, with a function to change it. */
export interface Chosen {
  /** The name of the market in the language; undefined for "somewhere else". */
  readonly name: string | undefined;
  /** A sentence with the choice; empty while the texts load. */
  readonly text: string;
  /** The label of a button that calls `change`; empty while the texts load. */
  readonly changeText: string;
  /** Shows the list again. */
  change(): void;
}

/** Props of `MarketFirst`. */
export interface MarketFirstProps extends Pick<TermsClientOptions, "baseUrl" | "fetch" | "locale"> {
  /** The market of the applicant, if the host knows it. The component then does not ask. */
  readonly market?: string | undefined;
  /**
   * The market that a link to this page names. The screen says which one it is, and the user can change it. The list
   * is shown if the link names a place that is not in it.
   */
  readonly linkedMarket?: string | undefined;
  /** The markets with which a server rendered the page. */
  readonly initialMarkets?: OfferedMarkets | undefined;
  /** The type of terms. Default `FREELANCER`. */
  readonly termsType?: string | undefined;
  readonly texts?: TextOverrides | undefined;
  /** Adds a back button to the header of the list. */
  readonly onBack?: (() => void) | undefined;
  /** Renders the screen after the choice. `chosen` is undefined if there was nothing to choose. */
  readonly children: (market: string | undefined, chosen: Chosen | undefined) => ReactNode;
}

/**
 * Asks an applicant in which market they want to work, unless the host sets it or there is only one market.
 *
 * @example
 * <MarketFirst>{(market) => <TermsConsent market={market} onAccepted={forgetMarket} />}</MarketFirst>
 */
export function MarketFirst(props: MarketFirstProps) {
  const { market, termsType = DEFAULT_TERMS_TYPE, baseUrl, fetch, children } = props;
  const list = useRead(market ? null : ["musette/markets", baseUrl, termsType], {
    fetch: () => fetchMarkets({ termsType }, { baseUrl, fetch }),
    initial: props.initialMarkets,
  });
  if (market) return children(market, undefined);
  // Without a list the server decides: a declared place is recorded, although all terms are the same there.
  if (list.data?.markets.length === 0) return children(props.linkedMarket, undefined);
  return <Choice {...props} list={list} />;
}

interface ChoiceProps extends MarketFirstProps {
  readonly list: Read<OfferedMarkets>;
}

/** A separate component, because it loads more texts. Most companies have no markets and do not need them. */
function Choice({ list, children, ...props }: ChoiceProps) {
  const locale = props.locale ?? pageLanguage();
  const texts = useTexts(locale, props.texts);
  const { linkedMarket } = props;
  const [selected, setSelected] = useState(() => linkedMarket ?? rememberedMarket());
  const [isListOpen, setListOpen] = useState(false);
  // The container of the list, set when the user leaves it.
  const container = useRef<Element>(undefined);
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current) focusHeading(container.current);
    container.current = undefined;
  });
  // A response that a service worker cached from an older server has no names.
  const { markets, names = NO_NAMES } = list.data ?? {};
  // An earlier choice is valid until the list has loaded without it. The list may be unreachable.
  const isLinked = selected !== undefined && selected === linkedMarket;
  const isValid =
    selected !== undefined &&
    (!markets || !selected || markets.includes(selected) || (isLinked && AREA.test(selected)));
  const answer = isValid ? selected : markets?.length === 1 ? markets[0] : undefined;
  const name = answer ? marketName(answer, locale, names) : undefined;
  return (
    <>
      {(answer === undefined || isListOpen) && (
        <MarketList
          texts={texts}
          locale={locale}
          markets={markets}
          names={names}
          chosen={answer}
          isLinkUnknown={isLinked && !isValid}
          failed={list.error !== undefined && !list.isFetching}
          onRetry={() => void list.refetch()}
          onBack={
            isListOpen
              ? () => {
                  container.current = screen.current ?? undefined;
                  setListOpen(false);
                }
              : props.onBack
          }
          replacesScreen={isListOpen}
          onChoose={(code, from) => {
            container.current = from;
            rememberMarket(code);
            setSelected(code);
            setListOpen(false);
          }}
        />
      )}
      {answer !== undefined && (
        // Stays mounted below the list: the user may go back without another choice, and their ticks are there.
        <div ref={screen} style={{ display: isListOpen ? "none" : "contents" }}>
          {children(answer || undefined, {
            name,
            text: texts ? (name ? texts.markets.chosen(name) : texts.markets.elsewhere) : "",
            changeText: texts?.markets.change ?? "",
            change: () => setListOpen(true),
          })}
        </div>
      )}
    </>
  );
}
