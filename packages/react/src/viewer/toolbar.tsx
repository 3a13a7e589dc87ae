import type { ReactNode } from "react";
import type { ViewerTexts } from "../texts/texts";
import { IconButton } from "./icon-button";
import type { DocumentViewerProps, ViewerDocument } from "./props";
import type { View } from "./remembered-view";
import { downloadAttributes, type Source } from "./source";
import { MAX_ZOOM, stepZoom } from "./zoom";

interface HeaderProps {
  readonly shown: ViewerDocument;
  readonly texts: ViewerTexts;
  readonly source: Source | undefined;
  readonly place: ReactNode;
  readonly onClose: () => void;
}

export function Header({ shown, texts, source, place, onClose }: HeaderProps) {
  return (
    <header className="mu-viewer-bar">
      <div className="mu-viewer-heading">
        <h1 className="mu-viewer-title">
          <bdi lang={shown.locale}>{shown.title}</bdi>
        </h1>
        <p className="mu-viewer-place">{place}</p>
      </div>
      {source && (
        <a
          className="mu-viewer-icon"
          data-icon="save"
          title={texts.originalPdf}
          href={source.pdf}
          {...downloadAttributes(shown.title)}
        />
      )}
      <IconButton icon="close" label={texts.close} onClick={onClose} />
    </header>
  );
}

type DocumentPosition = Pick<
  DocumentViewerProps,
  "documents" | "index" | "onIndexChange" | "locale"
>;

interface ToolbarProps extends DocumentPosition {
  readonly texts: ViewerTexts;
  readonly readable: boolean;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

export function Toolbar(props: ToolbarProps) {
  const { documents, index, onIndexChange, texts, readable, view, onView } = props;
  const { zoom, onZoom, locale } = props;
  const reading = view === "reading";
  return (
    <footer className="mu-viewer-bar">
      {documents.length > 1 && (
        <div className="mu-viewer-group">
          <IconButton
            icon="previous"
            label={texts.previous}
            off={!index}
            onClick={() => onIndexChange(index - 1)}
          />
          <p aria-live="polite">{texts.position(index + 1, documents.length)}</p>
          <IconButton
            icon="next"
            label={texts.next}
            off={index > documents.length - 2}
            onClick={() => onIndexChange(index + 1)}
          />
        </div>
      )}
      {readable && (
        <IconButton
          icon={reading ? "pages" : "text"}
          label={reading ? texts.pageView : texts.readingView}
          onClick={() => onView(reading ? "pages" : "reading")}
        />
      )}
      <div className="mu-viewer-group">
        <IconButton
          icon="less"
          label={reading ? texts.textSmaller : texts.zoomOut}
          off={zoom <= 1}
          onClick={() => onZoom(stepZoom(zoom, -1))}
        />
        <button
          type="button"
          className="mu-viewer-icon"
          title={texts.fit}
          onClick={() => onZoom(1)}
        >
          {new Intl.NumberFormat(locale, { style: "percent" }).format(zoom)}
        </button>
        <IconButton
          icon="more"
          label={reading ? texts.textLarger : texts.zoomIn}
          off={zoom >= MAX_ZOOM}
          onClick={() => onZoom(stepZoom(zoom, 1))}
        />
      </div>
    </footer>
  );
}
