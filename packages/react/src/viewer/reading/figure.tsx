import { type CSSProperties, useState } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Area, Cut, ManifestPage } from "../manifest";
import { MissingPage } from "../pages";

interface FigureProps {
  readonly base: string;
  readonly texts: ViewerTexts;
  readonly zoom: number;
  /** The page number, from 1. */
  readonly number: number;
  readonly page: ManifestPage;
  /** The part of the page that is shown. */
  readonly area: Area;
  /** The images of this part. Without them, the part is cut out of the page image by the browser. */
  readonly cut?: Cut | undefined;
  readonly alt: string;
}

/**
 * An area of a page as an image, for content that cannot be text. It keeps its light background in dark mode, because
 * its colours may carry meaning.
 */
export function Figure({ number, page, area, cut, alt, base, texts, zoom }: FigureProps) {
  const [attempt, setAttempt] = useState(0);
  const [missing, setMissing] = useState(false);
  const retry = () => {
    setMissing(false);
    setAttempt((before) => before + 1);
  };
  const at = (path: string) => new URL(path, base).href;
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  const right = page.width - area.x - area.width;
  const source = cut ?? { ...page, x: 0, y: 0 };
  const isCentred = Math.abs(area.x - right) < page.width / 10;
  return (
    <div
      className="mu-viewer-figure"
      // A scrollable element must be reachable by keyboard.
      {...(zoom > 1 && { tabIndex: 0, role: "group", "aria-label": alt })}
    >
      <div
        className="mu-viewer-cut"
        // Stays in the page while its image is missing, so that the page does not count as shown.
        hidden={missing}
        style={
          {
            "--w": area.width,
            "--h": area.height,
            marginLeft: isCentred || area.x > right ? "auto" : 0,
            marginRight: isCentred || area.x <= right ? "auto" : 0,
          } as CSSProperties
        }
      >
        <img
          key={attempt}
          alt={alt}
          loading="lazy"
          width={source.width}
          height={source.height}
          sizes={`calc(min(${(source.width / area.width) * 100}vw, ${source.width}px) * ${zoom})`}
          srcSet={`${at(source.src)} ${source.width}w, ${at(source.src2x)} ${source.width * 2}w`}
          src={at(source.src)}
          style={{
            inlineSize: percent(source.width, area.width),
            left: percent(source.x - area.x, area.width),
            top: percent(source.y - area.y, area.height),
          }}
          onError={() => setMissing(true)}
        />
      </div>
      {missing && <MissingPage {...{ number, attempt, texts, retry }} />}
    </div>
  );
}
