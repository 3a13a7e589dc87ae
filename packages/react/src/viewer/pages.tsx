import { memo, type RefCallback, useEffect, useReducer, useState } from "react";
import type { ViewerTexts } from "../texts/texts";
import { type Fetch, type Line, loadJson, type Manifest, type ManifestPage } from "./manifest";
import { useAnswer } from "./use-answer";

// The picture of the page comes first.
const LATER: RequestInit = { priority: "low" };

/** Pictures of pages farther away are let go, and come back from a cache. */
const PICTURES_AROUND = 4;

/** Memory of all pictures when decoded at the sharper size: nine pages of A4 (1560 by 2206 pixels) are 124 MB. */
const PICTURES_BYTES = 140e6;

/** How many pages before and after this one may have their picture: fewer where pages are long. */
export function picturesAround(pages: readonly Size[], page: number): number {
  const decoded = (at: number) => {
    const { width = 0, height = 0 } = pages[at - 1] ?? {};
    return width * 2 * (height * 2) * 4;
  };
  let around = 0;
  let bytes = decoded(page);
  while (around < PICTURES_AROUND) {
    bytes += decoded(page - around - 1) + decoded(page + around + 1);
    if (bytes > PICTURES_BYTES) break;
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
  // On a slow line the pictures would share it, and the one that is looked at would come last.
  const [come, onCome] = useReducer(() => true, false);
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
          near={Math.abs(index + 1 - page) < (come ? 3 : 1)}
          awaited={Math.abs(index + 1 - page) <= (come ? around : 0)}
          onCome={onCome}
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
  /** Its picture may be asked for. */
  readonly awaited: boolean;
  /** Its picture is there, or will not come. */
  readonly onCome: () => void;
}

const Page = memo(({ shape, base, number, total, near, awaited, onCome, ...rest }: PageProps) => {
  const { zoom, texts, fetch } = rest;
  const { width, height } = shape;
  const at = (path: string) => new URL(path, base).href;
  const [attempt, setAttempt] = useState(0);
  const [missing, setMissing] = useState(false);
  const retry = () => {
    setMissing(false);
    setAttempt((before) => before + 1);
  };
  // Without its text layer a page can still be read, so a failure here stays silent.
  const { value } = useAnswer(near ? `${shape.lines} ${attempt}` : undefined, () =>
    loadJson<{ lines: readonly Line[] }>(at(shape.lines), fetch, LATER),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is no fieldset
    <div
      role="group"
      aria-label={texts.page(number, total)}
      className="mu-viewer-page"
      data-page={number}
      style={{ "--w": width, "--h": height } as React.CSSProperties}
    >
      <img
        // A picture that failed is only asked for again by an element that never asked for it.
        key={attempt}
        alt=""
        // The browser takes the sharp image where the screen or the zoom has use for it.
        sizes={`calc(min(100vw, ${width}px) * ${zoom})`}
        {...(awaited && {
          srcSet: `${at(shape.src)} ${width}w, ${at(shape.src2x)} ${width * 2}w`,
          src: at(shape.src),
        })}
        loading={number > 1 ? "lazy" : "eager"}
        onLoad={onCome}
        onError={() => {
          setMissing(true);
          onCome();
        }}
      />
      {value?.lines.map((line) => (
        <TextLine key={`${line.x} ${line.y} ${line.text}`} {...{ line, shape }} />
      ))}
      {missing && <Missing {...{ number, attempt, texts, retry }} />}
    </div>
  );
});

interface MissingProps {
  readonly number: number;
  readonly attempt: number;
  readonly texts: ViewerTexts;
  readonly retry: () => void;
}

/** In the place of one page: the others can be read, so nothing is said of the document. */
export function Missing({ number, attempt, texts, retry }: MissingProps) {
  useEffect(() => {
    addEventListener("online", retry);
    // A phone says that it is online before its network carries anything.
    const timer = attempt % 4 ? setTimeout(retry, attempt * 2000) : 0;
    return () => {
      removeEventListener("online", retry);
      clearTimeout(timer);
    };
  });
  return (
    <div className="mu-viewer-message" role="status">
      <p>{texts.pageFailed(number)}</p>
      <button
        type="button"
        className="mu-viewer-button"
        onClick={(event) => {
          // The button goes away, and must not take the focus along.
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
 * Justified to the printed width, so that a selection covers the words without measuring any. The
 * line end is for who copies: Chromium puts none between boxes that are positioned.
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
