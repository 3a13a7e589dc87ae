import { createTestFlags } from "@musette/client/flags/testing";
import { DocumentChanges, type DocumentChangesLayout } from "@musette/react/comparison";
import { FlagsOverlay, FlagsProvider } from "@musette/react/flags";
import { forgetMarket, MarketFirst, type MarketFirstProps } from "@musette/react/markets";
import { loadTexts, type Texts } from "@musette/react/texts";
import { DocumentViewer } from "@musette/react/viewer";
import { type ReactNode, useEffect, useState } from "react";
import { BEFORE, BROKEN, DOUBTFUL, NOW, PARTS, pdf, SCAN, terms } from "../fixtures";
import { find, never, press, type Scene, type Story, type, until } from "../story";

/** Loads all texts of a language, as a host does. */
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
    () => until(() => find(".mu-error")),
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

const statusText = () => until(() => find("[role=status] p"));
const currentFetch = () => globalThis.fetch;

export const comparison: readonly Story[] = [
  changes("loading", "Loading", () => never, statusText),
  changes(
    "failed",
    "Could not be loaded",
    () => async () => Promise.reject(new TypeError()),
    () => until(() => find(".mu-button")),
  ),
  changes("inline", "In one text", currentFetch, () => until(() => find("ins"))),
  changes("beside", "Side by side", currentFetch, () => until(() => find("ins"))),
  changes("same", "The same words", currentFetch, statusText, NOW),
  changes("textless", "A scan", currentFetch, statusText, SCAN),
];

/** The view that the user chose earlier. */
type Chosen = "pages" | "reading";

interface ViewerStory {
  readonly name: string;
  readonly title: string;
  readonly sha256?: string;
  readonly chosen?: Chosen;
  readonly forced?: true;
  readonly prepare?: () => void;
  readonly play: () => Promise<unknown>;
}

/** Removes the state that the viewer has stored in this browser, also in other stories. */
function clearViewerState(): void {
  localStorage.removeItem("mu-viewer-view");
  localStorage.removeItem("mu-viewer-text");
  sessionStorage.removeItem("mu-viewer-place");
}

function viewer({ name, title, sha256 = NOW, chosen, prepare, play, forced }: ViewerStory): Story {
  return {
    name: `viewer/${name}`,
    title,
    height: 560,
    ...(forced && { forced }),
    prepare() {
      clearViewerState();
      if (chosen) localStorage.setItem("mu-viewer-view", chosen);
      prepare?.();
    },
    async play() {
      await play();
    },
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
const text = () => until(() => find(".mu-viewer-reading"));

/** Waits for the images in view. The others load on scroll. */
const pictures = () =>
  until(() => {
    const [first] = document.querySelectorAll<HTMLImageElement>("dialog [data-page] img");
    return first?.complete && first.naturalWidth > 0;
  });

const scrollTo = (selector: string) => find(selector)?.scrollIntoView();

export const viewers: readonly Story[] = [
  viewer({
    name: "loading",
    title: "Loading",
    play: () => until(() => find(".mu-viewer-loading")),
    prepare() {
      globalThis.fetch = never;
    },
  }),
  viewer({
    name: "failed",
    title: "Could not be loaded",
    play: message,
    prepare() {
      globalThis.fetch = async () => new Response("", { status: 503 });
    },
  }),
  viewer({
    name: "offer",
    title: "Pages with the offer of the text, before a choice",
    async play() {
      await until(() => find(".mu-viewer-offer"));
      await pictures();
    },
  }),
  viewer({ name: "pages", title: "Pages, chosen earlier", chosen: "pages", play: pictures }),
  viewer({
    name: "reading",
    title: "Text, chosen earlier",
    sha256: PARTS,
    chosen: "reading",
    forced: true,
    play: text,
  }),
  viewer({
    name: "reading-parts",
    title: "Text: a table, a frame and a picture",
    sha256: PARTS,
    chosen: "reading",
    async play() {
      await text();
      scrollTo(".mu-viewer-table");
      await pictures();
    },
  }),
  viewer({
    name: "reading-search",
    title: "Text: search results",
    sha256: PARTS,
    chosen: "reading",
    forced: true,
    async play() {
      await text();
      await press(".mu-viewer-tools [data-icon=search]");
      await until(() => find(".mu-viewer-search input"));
      type(".mu-viewer-search input", "7");
      await until(() => find(".mu-viewer-search [data-icon=down]"));
      // Removes the blinking caret.
      find(".mu-viewer-search input")?.blur();
    },
  }),
  viewer({
    name: "reading-settings",
    title: "Text: size, spacing and colours",
    sha256: PARTS,
    chosen: "reading",
    async play() {
      await text();
      await press(".mu-viewer-tools [data-icon=letters]");
      await until(() => find(".mu-viewer-settings"));
    },
  }),
  viewer({
    name: "reading-doubtful",
    title: "Text: a doubtful page as an image",
    sha256: DOUBTFUL,
    chosen: "reading",
    async play() {
      await text();
      scrollTo(".mu-viewer-doubt");
      await pictures();
    },
  }),
  viewer({
    name: "page-failed",
    title: "One page is missing",
    sha256: BROKEN,
    chosen: "pages",
    play: message,
  }),
  viewer({
    name: "scan",
    title: "A scan opens as pages, also after the text view was chosen",
    sha256: SCAN,
    chosen: "reading",
    play: pictures,
  }),
];

const flags = createTestFlags({ "quest-cards": true, "start-tip": "receipt", limits: { max: 3 } });

/** Finds an element in the shadow root of the overlay. */
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
