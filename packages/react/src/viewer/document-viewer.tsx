import { useRef, useState } from "react";
import { otherLanguage } from "../texts/other-language";
import { Body } from "./body";
import { useModal } from "./modal";
import type { DocumentViewerProps, ViewerDocument } from "./props";
import { isMostlyText, isPhone, rememberedView, rememberView, type View } from "./remembered-view";
import { documentSource } from "./source";
import { Surface } from "./surface";
import { Header, Toolbar } from "./toolbar";
import { useManifest } from "./use-manifest";

/** Where somebody has come to, in which document. */
interface Place {
  readonly id?: ViewerDocument["id"];
  readonly page: number;
  readonly pages: number;
}

/** A full-screen dialog that shows documents, with previous and next. */
export function DocumentViewer(props: DocumentViewerProps) {
  const { documents, index, onClose, onPage, texts, locale } = props;
  const shown = documents[index] as ViewerDocument;
  const { fetch = globalThis.fetch, pdfFrameUrl = "/viewer/frame.html" } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [chosen, choose] = useState(rememberedView);
  // Asked once: who turns the phone goes on reading what was there.
  const [phone] = useState(isPhone);
  const [zoom, onZoom] = useState(1);
  const [place, setPlace] = useState<Place>({ page: 1, pages: 0 });
  useModal(dialog);

  const source = documentSource(shown.content);
  const next = documentSource(documents[index + 1]?.content ?? "")?.manifest;
  const loaded = useManifest(source, next, fetch, attempt);
  const manifest = typeof loaded === "object" ? loaded : undefined;

  const isText = chosen ? chosen === "reading" : phone && manifest && isMostlyText(manifest);
  const view: View = manifest && isText ? "reading" : "pages";
  const moved = place.id === shown.id;
  const here = moved ? place : { page: 1, pages: 0 };
  const { page } = here;
  const pages = manifest?.pages.length ?? here.pages;

  const onView = (next: View) => {
    rememberView(next);
    choose(next);
    onZoom(1);
  };
  // Once a page, not once a scroll event: everything that is shown would be drawn anew.
  const onPlace = (at: number, of = pages) =>
    (moved && at === page && of === pages) || setPlace({ id: shown.id, page: at, pages: of });
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
      data-at={moved ? page : undefined}
      // Strict mode closes it and opens it again; this event comes only afterwards.
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
          {...{ locale, loaded, page, fetch, pdfFrameUrl, retry, onPlace, onShown }}
        />
      </Surface>
      {manifest?.text.trim() && !chosen && view === "pages" && (
        <button type="button" className="mu-viewer-offer" onClick={() => onView("reading")}>
          {texts.readAsText}
        </button>
      )}
      <Toolbar {...shared} {...props} readable={!!manifest} />
    </dialog>
  );
}
