import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ViewerTexts } from "../texts/texts";
import { type Fetch, type Line, loadJson, type Manifest, type ManifestPage } from "./manifest";

interface PagesProps {
  readonly manifest: Manifest;
  readonly base: string;
  readonly page: number;
  readonly zoom: number;
  readonly texts: ViewerTexts;
  readonly fetch: Fetch;
}

export function Pages({ manifest, base, page, ...rest }: PagesProps) {
  const start = useStartAt(page, true);
  return (
    <div className="mu-viewer-pages" ref={start}>
      {manifest.pages.map((shape, index) => (
        <Page
          key={shape.src}
          shape={shape}
          base={base}
          number={index + 1}
          total={manifest.pages.length}
          near={Math.abs(index + 1 - page) < 3}
          {...rest}
        />
      ))}
    </div>
  );
}

/** Switching between pages and text stays at the page that the person was at. */
export function useStartAt(page: number, ready: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const first = useRef(page);
  useLayoutEffect(() => {
    if (ready && first.current > 1)
      element.current?.querySelector(`[data-page="${first.current}"]`)?.scrollIntoView();
  }, [ready]);
  return element;
}

interface PageProps extends Omit<PagesProps, "manifest" | "page"> {
  readonly shape: ManifestPage;
  readonly number: number;
  readonly total: number;
  readonly near: boolean;
}

const Page = memo(({ shape, base, number, total, near, zoom, texts, fetch }: PageProps) => {
  const { width, height } = shape;
  const [broken, setBroken] = useState(false);
  const lines = useLines(shape, base, near, fetch);
  const at = (path: string) => new URL(path, base).href;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is no fieldset
    <div
      role="group"
      aria-label={texts.page(number, total)}
      className="mu-viewer-page"
      data-page={number}
      style={{ "--w": width, "--h": height } as React.CSSProperties}
    >
      {broken ? (
        <button type="button" className="mu-viewer-button" onClick={() => setBroken(false)}>
          {texts.tryAgain}
        </button>
      ) : (
        <img
          alt=""
          width={width}
          height={height}
          // The browser takes the sharp image where the screen or the zoom has use for it.
          sizes={`calc(min(100vw, ${width}px) * ${zoom})`}
          srcSet={`${at(shape.src)} ${width}w, ${at(shape.src2x)} ${width * 2}w`}
          src={at(shape.src)}
          loading={number > 1 ? "lazy" : "eager"}
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      )}
      {lines.map((line) => (
        <TextLine
          key={`${line.x} ${line.y} ${line.text}`}
          line={line}
          width={width}
          height={height}
        />
      ))}
    </div>
  );
});

function useLines(shape: ManifestPage, base: string, near: boolean, fetch: Fetch) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const url = near && shape.lines ? new URL(shape.lines, base).href : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fetch function is no new page
  useEffect(() => {
    if (!url) return;
    // Without its text layer a page can still be read, so a failure here stays silent.
    loadJson<{ lines: readonly Line[] }>(url, fetch, { priority: "low" }).then(
      (answer) => setLines(answer.lines),
      () => {},
    );
  }, [url]);
  return lines;
}

const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;

/** Justified to the printed width, so that a selection covers the words without measuring any. */
function TextLine({ line, width, height }: { line: Line; width: number; height: number }) {
  return (
    <div
      className="mu-viewer-line"
      dir={line.dir}
      style={{
        left: percent(line.x, width),
        top: percent(line.y, height),
        width: percent(line.width, width),
        height: percent(line.height, height),
        fontSize: `${(line.height / width) * 72}cqw`,
      }}
    >
      {line.text}
    </div>
  );
}
