import { useRef, useState } from "react";
import { otherLanguage } from "../texts/other-language";
import { Body } from "./body";
import { useModal } from "./modal";
import type { DocumentViewerProps, ViewerDocument } from "./props";
import {
  isMostlyText,
  isPhone,
  isScan,
  rememberedView,
  rememberView,
  type View,
} from "./remembered-view";
import { documentSource } from "./source";
import { Surface } from "./surface";
import { Header, Toolbar } from "./toolbar";
import { useManifest } from "./use-manifest";

/** The current page of a document. */
interface Place {
  readonly id?: ViewerDocument["id"];
  readonly page: number;
  readonly pages: number;
}

/**
 * A full-screen dialog that shows documents, with buttons for the previous and the next one.
 *
 * @example
 * <DocumentViewer
 *   documents={terms}
 *   index={index}
 *   onIndexChange={setIndex}
 *   onClose={close}
 *   texts={texts.viewer}
 * />
 */
export function DocumentViewer(props: DocumentViewerProps) {
  const { documents, index, onClose, onPage, texts, locale } = props;
  const shown = documents[index] as ViewerDocument;
  const { fetch = globalThis.fetch, pdfFrameUrl = "/viewer/frame.html" } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [storedView, setStoredView] = useState(rememberedView);
  // For this scan only: other documents open in the view that the user chose for text.
  const [viewOfScan, setViewOfScan] = useState<{ readonly id: unknown; readonly view: View }>();
  // Checked once, so that rotating the phone does not change the view.
  const [phone] = useState(isPhone);
  const [zoom, onZoom] = useState(1);
  const [place, setPlace] = useState<Place>({ page: 1, pages: 0 });
  useModal(dialog);

  const source = documentSource(shown.content);
  const next = documentSource(documents[index + 1]?.content ?? "")?.manifest;
  const loaded = useManifest(source, next, fetch, attempt);
  const manifest = typeof loaded === "object" ? loaded : undefined;

  const scanned = manifest && isScan(manifest);
  const viewHere = viewOfScan?.id === shown.id ? viewOfScan?.view : "pages";
  const chosenView = scanned ? viewHere : storedView;
  const isText = chosenView
    ? chosenView === "reading"
    : phone && manifest && isMostlyText(manifest);
  const view: View = manifest && isText ? "reading" : "pages";
  const hasPosition = place.id === shown.id;
  const position = hasPosition ? place : { page: 1, pages: 0 };
  const { page } = position;
  const pages = manifest?.pages.length ?? position.pages;

  const onView = (next: View) => {
    if (scanned) setViewOfScan({ id: shown.id, view: next });
    else {
      rememberView(next);
      setStoredView(next);
    }
    onZoom(1);
  };
  // Updates once per page, not per scroll event, because it renders the whole viewer.
  const onPlace = (at: number, of = pages) =>
    (hasPosition && at === page && of === pages) || setPlace({ id: shown.id, page: at, pages: of });
  const onShown = (at: number) => onPage?.(shown.id, at);
  const retry = () => setAttempt(attempt + 1);

  const language = locale && otherLanguage(shown.locale, locale);
  const facts = [pages > 0 && texts.page(page, pages), language && texts.inLanguage(language)];

  const shared = { shown, texts, source, zoom, onZoom, view, onView, onClose };
  return (
    <dialog
      ref={dialog}
      className="mu-viewer"
      aria-label={shown.title}
      lang={locale}
      data-at={hasPosition ? page : undefined}
      // React's strict mode closes and reopens the dialog, and this event fires only afterwards.
      onClose={() => dialog.current?.open || onClose()}
    >
      <Header {...shared} place={facts.filter(Boolean).join(" · ")} />
      <Surface
        key={`${shown.id} ${attempt}`}
        label={shown.title}
        lang={shown.locale}
        zoom={zoom}
        onZoom={onZoom}
        {...{ onPlace, onShown }}
      >
        <Body
          {...shared}
          {...{ locale, loaded, page, fetch, pdfFrameUrl, attempt, retry, onPlace, onShown }}
        />
      </Surface>
      {manifest?.text.trim() && !chosenView && view === "pages" && (
        <button type="button" className="mu-viewer-offer" onClick={() => onView("reading")}>
          {texts.readAsText}
        </button>
      )}
      <Toolbar {...shared} {...props} readable={!!manifest} />
    </dialog>
  );
}
