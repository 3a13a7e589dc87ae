import { lazy, Suspense } from "react";
import type { ViewerTexts } from "../texts/texts";
import type { ViewerDocument } from "./document-viewer";
import type { Fetch } from "./manifest";
import { Pages } from "./pages";
import { Reading } from "./reading";
import type { View } from "./remembered-view";
import { pdfLink, type Source } from "./source";
import type { Loaded } from "./use-manifest";

// pdf.js and all that feeds it: only a document without pages of ours ever asks for it.
const ForeignDocument = lazy(() =>
  import("./foreign-document").then(({ ForeignDocument }) => ({ default: ForeignDocument })),
);

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
          <a className="mu-viewer-button" {...pdfLink(source, shown.title)}>
            {texts.download}
          </a>
        </>
      )}
    </div>
  );

  if (loaded === "loading") return loading;
  if (loaded === "foreign" && source)
    return (
      <Suspense fallback={loading}>
        <ForeignDocument {...props} {...{ url: source.pdf, failed, loading }} />
      </Suspense>
    );
  if (typeof loaded === "string" || !source?.manifest) return failed;
  const { manifest: base } = source;
  if (view === "pages") return <Pages {...{ manifest: loaded, base, page, zoom, texts, fetch }} />;
  return (
    <Reading
      {...{ page, texts, fetch, failed, loading }}
      url={loaded.reading && new URL(loaded.reading, base).href}
      onPages={() => onView("pages")}
    />
  );
}
