import { type CSSProperties, useState } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Area, ManifestPage } from "../manifest";
import { Missing } from "../pages";

interface FigureProps {
  readonly base: string;
  readonly texts: ViewerTexts;
  readonly zoom: number;
  /** Counted from 1. */
  readonly number: number;
  readonly page: ManifestPage;
  /** The part of the page that is shown. */
  readonly area: Area;
  readonly alt: string;
}

/**
 * A part of a page as it is drawn, for what cannot be text. It keeps its paper in dark colours too: what is
 * red or grey in it may be what it says.
 */
export function Figure({ number, page, area, alt, base, texts, zoom }: FigureProps) {
  const [attempt, setAttempt] = useState(0);
  const [missing, setMissing] = useState(false);
  const retry = () => {
    setMissing(false);
    setAttempt((before) => before + 1);
  };
  const at = (path: string) => new URL(path, base).href;
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  const right = page.width - area.x - area.width;
  const isCentred = Math.abs(area.x - right) < page.width / 10;
  return (
    <div
      className="mu-viewer-figure"
      // What scrolls must be reachable by keyboard.
      {...(zoom > 1 && { tabIndex: 0, role: "group", "aria-label": alt })}
    >
      <div
        className="mu-viewer-cut"
        // It stays while its picture is missing, so that nothing counts as shown.
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
          width={page.width}
          height={page.height}
          sizes={`calc(min(${(page.width / area.width) * 100}vw, ${page.width}px) * ${zoom})`}
          srcSet={`${at(page.src)} ${page.width}w, ${at(page.src2x)} ${page.width * 2}w`}
          src={at(page.src)}
          style={{
            inlineSize: share(page.width, area.width),
            left: share(-area.x, area.width),
            top: share(-area.y, area.height),
          }}
          onError={() => setMissing(true)}
        />
      </div>
      {missing && <Missing {...{ number, attempt, texts, retry }} />}
    </div>
  );
}
