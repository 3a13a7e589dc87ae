import { memo, type RefCallback, useReducer, useState } from "react";
import type { ViewerTexts } from "../texts/texts";
import { type Fetch, type Line, loadJson, type Manifest, type ManifestPage } from "./manifest";
import { usePromise } from "./use-answer";
import { useAutomaticRetry } from "./use-automatic-retry";

// Low priority, because the image of the page is more important.
const LOW_PRIORITY: RequestInit = { priority: "low" };

/** The number of pages before and after the current one with an image. Others are unloaded and come from the cache. */
const IMAGES_AROUND_MAX = 4;

/** Memory limit for decoded images at the larger size. Nine A4 pages (1560 by 2206 pixels) need 124 MB. */
const IMAGES_BYTES_MAX = 140e6;

/** Returns how many pages before and after this one may have an image. Fewer for large pages. */
export function picturesAround(pages: readonly Size[], page: number): number {
  const decoded = (at: number) => {
    const { width = 0, height = 0 } = pages[at - 1] ?? {};
    return width * 2 * (height * 2) * 4;
  };
  let around = 0;
  let bytes = decoded(page);
  while (around < IMAGES_AROUND_MAX) {
    bytes += decoded(page - around - 1) + decoded(page + around + 1);
    if (bytes > IMAGES_BYTES_MAX) break;
    around += 1;
  }
  return around;
}

type Size = Pick<ManifestPage, "width" | "height">;

interface PagesProps {
  readonly manifest: Manifest;
  readonly base: string;
  readonly page: number;
  readonly start: RefCallback<HTMLElement>;
  readonly zoom: number;
  readonly texts: ViewerTexts;
  readonly fetch: Fetch;
}

export function Pages({ manifest, base, page, start, ...rest }: PagesProps) {
  // Loads other images after the first one, which would otherwise be slower on a slow connection.
  const [hasFirstImage, onImageSettled] = useReducer(() => true, false);
  const around = picturesAround(manifest.pages, page);
  return (
    <div className="mu-viewer-pages" ref={start}>
      {manifest.pages.map((shape, index) => (
        <Page
          key={shape.src}
          shape={shape}
          base={base}
          number={index + 1}
          total={manifest.pages.length}
          near={Math.abs(index + 1 - page) < (hasFirstImage ? 3 : 1)}
          mayLoad={Math.abs(index + 1 - page) <= (hasFirstImage ? around : 0)}
          onImageSettled={onImageSettled}
          {...rest}
        />
      ))}
    </div>
  );
}

interface PageProps extends Omit<PagesProps, "manifest" | "page" | "start"> {
  readonly shape: ManifestPage;
  readonly number: number;
  readonly total: number;
  readonly near: boolean;
  /** Whether its image may load. */
  readonly mayLoad: boolean;
  /** Called when its image has loaded or failed. */
  readonly onImageSettled: () => void;
}

const Page = memo(
  ({ shape, base, number, total, near, mayLoad, onImageSettled, ...rest }: PageProps) => {
    const { zoom, texts, fetch } = rest;
    const { width, height } = shape;
    const at = (path: string) => new URL(path, base).href;
    const [attempt, setAttempt] = useState(0);
    const [missing, setMissing] = useState(false);
    const [drawn, setDrawn] = useState(false);
    const retry = () => {
      setMissing(false);
      setAttempt((before) => before + 1);
    };
    // A page is readable without its text layer, so this ignores errors.
    const { value } = usePromise(near ? `${shape.lines} ${attempt}` : undefined, () =>
      loadJson<{ lines: readonly Line[] }>(at(shape.lines), fetch, LOW_PRIORITY),
    );
    return (
      // biome-ignore lint/a11y/useSemanticElements: a page is not a fieldset
      <div
        role="group"
        aria-label={texts.page(number, total)}
        className="mu-viewer-page"
        data-page={number}
        data-loading={(!drawn && !missing) || undefined}
        style={{ "--w": width, "--h": height } as React.CSSProperties}
      >
        <img
          // A new element per attempt, because the browser does not retry a failed image in the same element.
          key={attempt}
          alt=""
          // The browser chooses the larger image if the screen or the zoom needs it.
          sizes={`calc(min(100vw, ${width}px) * ${zoom})`}
          {...(mayLoad && {
            srcSet: `${at(shape.src)} ${width}w, ${at(shape.src2x)} ${width * 2}w`,
            src: at(shape.src),
          })}
          loading={number > 1 ? "lazy" : "eager"}
          onLoad={() => {
            setDrawn(true);
            onImageSettled();
          }}
          onError={() => {
            setMissing(true);
            onImageSettled();
          }}
        />
        {value?.lines.map((line) => (
          <TextLine key={`${line.x} ${line.y} ${line.text}`} {...{ line, shape }} />
        ))}
        {missing && <MissingPage {...{ number, attempt, texts, retry }} />}
      </div>
    );
  },
);

interface MissingPageProps {
  readonly number: number;
  readonly attempt: number;
  readonly texts: ViewerTexts;
  readonly retry: () => void;
}

/** Shown instead of one page whose image is missing. The other pages stay readable. */
export function MissingPage({ number, attempt, texts, retry }: MissingPageProps) {
  useAutomaticRetry(true, attempt, retry);
  return (
    <div className="mu-viewer-message" role="status">
      <p>{texts.pageFailed(number)}</p>
      <button
        type="button"
        className="mu-viewer-button"
        onClick={(event) => {
          // Moves the focus, because the button is removed.
          event.currentTarget
            .closest<HTMLElement>(".mu-viewer-surface")
            ?.focus({ preventScroll: true });
          retry();
        }}
      >
        {texts.tryAgain}
      </button>
    </div>
  );
}

const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;

/**
 * An invisible line of text over the image. It is justified to the printed width, so that a selection covers the
 * words without measurement. The newline is for copied text: Chromium adds none between positioned boxes.
 */
function TextLine({ line, shape }: { readonly line: Line; readonly shape: ManifestPage }) {
  return (
    <div
      className="mu-viewer-line"
      dir={line.dir}
      style={{
        left: percent(line.x, shape.width),
        top: percent(line.y, shape.height),
        width: percent(line.width, shape.width),
        height: percent(line.height, shape.height),
        fontSize: `${(line.height / shape.width) * 72}cqw`,
      }}
    >
      {`${line.text}\n`}
    </div>
  );
}
