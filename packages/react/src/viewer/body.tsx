import { useReducer } from "react";
import type { ViewerTexts } from "../texts/texts";
import { type Block, type Fetch, loadJson, type Manifest } from "./manifest";
import { Pages } from "./pages";
import type { ViewerDocument } from "./props";
import type { View } from "./remembered-view";
import { downloadAttributes, type Source } from "./source";
import { usePromise } from "./use-answer";
import { useAutomaticRetry } from "./use-automatic-retry";
import type { Loaded } from "./use-manifest";

interface BodyProps {
  readonly shown: ViewerDocument;
  readonly source: Source | undefined;
  readonly loaded: Loaded;
  readonly view: View;
  readonly page: number;
  readonly zoom: number;
  readonly locale: string | undefined;
  readonly texts: ViewerTexts;
  readonly fetch: Fetch;
  readonly pdfFrameUrl: string;
  /** The number of retries before this one. */
  readonly attempt: number;
  readonly retry: () => void;
  readonly onView: (view: View) => void;
  readonly onPlace: (page: number, pages?: number) => void;
  readonly onShown: (page: number) => void;
  readonly onZoom: (zoom: number) => void;
  readonly onClose: () => void;
}

export function Body(props: BodyProps) {
  const { shown, source, loaded, view, page, zoom, texts, locale, fetch, retry, onView } = props;
  const base = source?.manifest ?? "";
  // Not React.lazy, because it caches a failed import forever and throws into the host's tree.
  const external = usePromise(
    loaded === "external" ? loaded : undefined,
    () => import("./foreign-document"),
  );
  const url =
    typeof loaded === "object" && view === "reading"
      ? new URL(loaded.reading, base).href
      : undefined;
  const reading = usePromise(url, () =>
    Promise.all([
      import("./reading/reading"),
      loadJson<{ blocks: readonly Block[] }>(url as string, fetch),
    ]),
  );

  const [hasFailed, onFailed] = useReducer(() => true, false);
  const start = scrollToCurrentPage;
  const loading = (
    <div className="mu-viewer-loading" role="status">
      {texts.loading}
    </div>
  );
  const failed = loaded === "failed" || !!external.error || !!reading.error || hasFailed;
  useAutomaticRetry(!!source && failed, props.attempt, retry);
  if (!source || failed)
    return (
      <div className="mu-viewer-message" role="alert">
        <p>{texts.failed}</p>
        {source && (
          <div className="mu-viewer-group">
            <button type="button" className="mu-viewer-button" onClick={retry}>
              {texts.tryAgain}
            </button>
            <a className="mu-viewer-button" href={source.pdf} {...downloadAttributes(shown.title)}>
              {texts.download}
            </a>
          </div>
        )}
      </div>
    );
  if (external.value) {
    const { ExternalDocument } = external.value;
    return <ExternalDocument {...props} {...{ url: source.pdf, loading, onFailed }} />;
  }
  if (reading.value) {
    const [{ Reading }, { blocks }] = reading.value;
    const { pages, doubts, regions, check } = loaded as Manifest;
    return (
      <Reading
        {...{ blocks, doubts, pages, base, start, texts, zoom, locale }}
        isChecked={check !== undefined || regions !== undefined}
        lang={shown.locale}
        onZoom={props.onZoom}
        onPages={() => onView("pages")}
      />
    );
  }
  if (typeof loaded === "object" && !url)
    return <Pages {...{ manifest: loaded, base, page, start, zoom, texts, fetch }} />;
  return loading;
}

/** Scrolls to the current page after a switch between pages and text. */
function scrollToCurrentPage(element: HTMLElement | null) {
  const page = element?.closest("dialog")?.dataset.at;
  // Not for the first page, so that the note about the text above it stays visible.
  if (page !== "1") element?.querySelector(`[data-page="${page}"]`)?.scrollIntoView();
}
