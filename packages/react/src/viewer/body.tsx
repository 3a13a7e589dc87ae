import { lazy, type ReactNode, Suspense, useState } from "react";
import type { ViewerTexts } from "../texts/texts";
import type { ViewerDocument } from "./document-viewer";
import type { Fetch } from "./manifest";
import { Pages } from "./pages";
import type { View } from "./remembered-view";
import { type Source, saved } from "./source";
import type { Loaded } from "./use-manifest";

/** A part that could not be fetched must not throw at whoever embeds the viewer. */
function later<Props extends { readonly failed: ReactNode }>(
  load: () => Promise<(props: Props) => ReactNode>,
) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: ({ failed }: Props) => failed }),
    ),
  );
}

// Only who asks for the text pays for it, and the pages come sooner. Made anew by every attempt,
// because `lazy` keeps a failure for good.
const parts = () => ({
  Reading: later(async () => (await import("./reading")).Reading),
  Foreign: later(async () => (await import("./foreign-document")).ForeignDocument),
});

interface BodyProps {
  readonly shown: ViewerDocument;
  readonly source: Source | undefined;
  readonly loaded: Loaded;
  readonly view: View;
  readonly page: number;
  readonly zoom: number;
  readonly texts: ViewerTexts;
  readonly fetch: Fetch;
  readonly pdfFrameUrl: string;
  readonly retry: () => void;
  readonly onView: (view: View) => void;
  readonly onPlace: (page: number, pages?: number) => void;
  readonly onZoom: (zoom: number) => void;
  readonly onClose: () => void;
}

export function Body(props: BodyProps) {
  const { shown, source, loaded, view, page, zoom, texts, fetch, retry, onView } = props;
  const [{ Reading, Foreign }] = useState(parts);
  const loading = (
    <div className="mu-viewer-loading" role="status">
      {texts.loading}
    </div>
  );
  const failed = (
    <div className="mu-viewer-message" role="alert">
      <p>{texts.failed}</p>
      {source && (
        <>
          <button type="button" className="mu-viewer-button" onClick={retry}>
            {texts.tryAgain}
          </button>
          <a className="mu-viewer-button" href={source.pdf} {...saved(shown.title)}>
            {texts.download}
          </a>
        </>
      )}
    </div>
  );

  const content = () => {
    if (loaded === "loading") return loading;
    if (loaded === "foreign" && source)
      return <Foreign {...props} {...{ url: source.pdf, failed, loading }} />;
    if (typeof loaded === "string" || !source?.manifest) return failed;
    const { manifest: base } = source;
    if (view === "pages")
      return <Pages {...{ manifest: loaded, base, page, zoom, texts, fetch }} />;
    return (
      <Reading
        {...{ page, texts, fetch, failed, loading }}
        url={loaded.reading && new URL(loaded.reading, base).href}
        onPages={() => onView("pages")}
      />
    );
  };
  return <Suspense fallback={loading}>{content()}</Suspense>;
}
