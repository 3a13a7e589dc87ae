import { createTestFlags } from "@musette/client/flags/testing";
import { DocumentChanges, type DocumentChangesLayout } from "@musette/react/comparison";
import { FlagsOverlay, FlagsProvider } from "@musette/react/flags";
import { forgetMarket, MarketFirst, type MarketFirstProps } from "@musette/react/markets";
import { loadTexts, type Texts } from "@musette/react/texts";
import { DocumentViewer } from "@musette/react/viewer";
import { type ReactNode, useEffect, useState } from "react";
import { BEFORE, BROKEN, NOW, pdf, SCAN, terms } from "../fixtures";
import { find, never, press, type Scene, type Story, type, until } from "../story";

/** What a host does that needs all words of a language. */
function WithTexts(props: {
  readonly locale: string;
  readonly children: (texts: Texts) => ReactNode;
}) {
  const { locale, children } = props;
  const [texts, setTexts] = useState<Texts>();
  useEffect(() => {
    loadTexts(locale).then(setTexts);
  }, [locale]);
  return texts && children(texts);
}

const MARKETS = { markets: ["DE-BE", "DE-HH", "AT-9"], names: { "DE-BE": "Berlin" } };

function market(
  name: string,
  title: string,
  fetch: MarketFirstProps["fetch"],
  play: Story["play"],
) {
  return {
    name: `market/${name}`,
    title,
    prepare: forgetMarket,
    render: ({ locale }: Scene) => (
      <MarketFirst locale={locale} fetch={fetch} onBack={() => {}}>
        {(_, chosen) => <p>{chosen?.text}</p>}
      </MarketFirst>
    ),
    ...(play && { play }),
  };
}

const offered = async () => Response.json(MARKETS);
const choices = () => until(() => find("[data-market]"));

export const markets: readonly Story[] = [
  market("loading", "Loading", never, () => until(() => find(".mu-skeleton"))),
  market(
    "failed",
    "Could not be loaded",
    async () => Promise.reject(new TypeError()),
    () => until(() => find(".mu-trouble")),
  ),
  market("list", "Choices", offered, choices),
  market("none", "Nothing found", offered, async () => {
    await choices();
    type("input[type=search]", "Timbuktu");
    await until(() => !find("[data-market='DE-BE']"));
  }),
];

const layouts: Readonly<Record<string, DocumentChangesLayout>> = {
  inline: { kind: "inline" },
  beside: { kind: "side-by-side", before: "1.0", after: "2.0" },
};

function changes(
  name: string,
  title: string,
  fetch: () => typeof globalThis.fetch,
  play: () => Promise<void>,
  before = BEFORE,
): Story {
  return {
    name: `changes/${name}`,
    title,
    play,
    render: ({ locale }) => (
      <main className="mu-changes-body">
        <WithTexts locale={locale}>
          {(texts) => (
            <DocumentChanges
              before={pdf(before)}
              after={pdf(NOW)}
              locale={locale}
              texts={texts}
              layout={layouts[name] ?? { kind: "inline" }}
              fetch={fetch()}
            />
          )}
        </WithTexts>
      </main>
    ),
  };
}

const said = () => until(() => find("[role=status] p"));
const own = () => globalThis.fetch;

export const comparison: readonly Story[] = [
  changes("loading", "Loading", () => never, said),
  changes(
    "failed",
    "Could not be loaded",
    () => async () => Promise.reject(new TypeError()),
    () => until(() => find(".mu-button")),
  ),
  changes("inline", "In one text", own, () => until(() => find("ins"))),
  changes("beside", "Beside each other", own, () => until(() => find("ins"))),
  changes("same", "The same words", own, said, NOW),
  changes("textless", "A scan", own, said, SCAN),
];

function viewer(
  name: string,
  title: string,
  sha256: string,
  play: () => Promise<void>,
  prepare?: () => void,
): Story {
  return {
    name: `viewer/${name}`,
    title,
    height: 560,
    // Its pages are a picture already, and its screens have tests with the real program.
    picture: "none",
    prepare() {
      sessionStorage.removeItem("mu-viewer-view");
      prepare?.();
    },
    play,
    render: ({ locale }) => (
      <WithTexts locale={locale}>
        {(texts) => (
          <DocumentViewer
            documents={terms(locale).map((term) => ({ ...term, content: pdf(sha256), sha256 }))}
            index={0}
            onIndexChange={() => {}}
            onClose={() => {}}
            texts={texts.viewer}
            locale={locale}
          />
        )}
      </WithTexts>
    ),
  };
}

const message = () => until(() => find(".mu-viewer-message"));

export const viewers: readonly Story[] = [
  viewer(
    "loading",
    "Loading",
    NOW,
    () => until(() => find(".mu-viewer-loading")),
    () => {
      globalThis.fetch = never;
    },
  ),
  viewer("failed", "Could not be loaded", NOW, message, () => {
    globalThis.fetch = async () => new Response("", { status: 503 });
  }),
  viewer("pages", "Pages", NOW, () =>
    until(() => find("[data-page='1'] img") && find(".mu-viewer-offer")),
  ),
  viewer("reading", "Text", NOW, async () => {
    await press(".mu-viewer-offer");
    await until(() => find(".mu-viewer-reading"));
  }),
  viewer("page-failed", "One page is missing", BROKEN, message),
  viewer("scan", "A scan", SCAN, () => until(() => find("[data-page='1'] img"))),
];

const flags = createTestFlags({ "quest-cards": true, "start-tip": "receipt", limits: { max: 3 } });

/** It lives in a shadow tree, which the page's own selectors do not reach. */
const inOverlay = <T extends HTMLElement>(selector: string) =>
  find("musette-flags")?.shadowRoot?.querySelector<T>(selector);

export const overlay: readonly Story[] = [
  {
    name: "flags/overlay",
    forced: true,
    title: "Flags, for developers",
    height: 480,
    render: ({ locale }) => (
      <FlagsProvider client={flags}>
        <FlagsOverlay show locale={locale} />
      </FlagsProvider>
    ),
    async play() {
      await until(() => inOverlay("details"));
      const first = inOverlay<HTMLDetailsElement>("details");
      if (first) first.open = true;
    },
  },
  {
    name: "flags/closed",
    title: "Flags, closed",
    height: 200,
    render: ({ locale }) => (
      <FlagsProvider client={flags}>
        <FlagsOverlay show locale={locale} />
      </FlagsProvider>
    ),
    async play() {
      await until(() => inOverlay("header button"));
      inOverlay("header button")?.click();
      await until(() => inOverlay(".opener"));
    },
  },
];
