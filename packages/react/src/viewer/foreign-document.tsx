import { type ReactNode, useEffect, useRef, useState } from "react";
import { foreignBytes } from "./foreign-bytes";
import type { Fetch } from "./manifest";
import { parseFromFrame, type ToFrame } from "./pdf-frame/messages";
import type { ViewerDocument } from "./props";

interface ForeignDocumentProps {
  readonly shown: ViewerDocument;
  readonly url: string;
  readonly pdfFrameUrl: string;
  readonly zoom: number;
  readonly fetch: Fetch;
  readonly onPlace: (page: number, pages?: number) => void;
  readonly onShown: (page: number) => void;
  readonly onZoom: (zoom: number) => void;
  readonly onClose: () => void;
  readonly onFailed: () => void;
  readonly loading: ReactNode;
}

/** From the frame's first message to the first page: a large document on a slow phone. */
const FRAME_DEADLINE_MS = 20_000;
/**
 * The frame's script speaks before the frame's `load` event. A page that has not spoken so long after it is another
 * page: a host that does not serve the frame often answers with its `index.html` and 200.
 */
const SPEAKS_WITHIN_MS = 1_000;

/**
 * A PDF that is not ours, drawn by pdf.js where it can do no harm: in a frame of opaque origin that
 * has no cookies, no storage and no network. This side fetches the document, and the few files
 * that pdf.js may ask for, and hands over bytes.
 */
export function ForeignDocument(props: ForeignDocumentProps) {
  const { shown, pdfFrameUrl, zoom, loading } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<"loading" | "shown">("loading");
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const ended = new AbortController();
    const fail = () => latest.current.onFailed();
    // The origin of the frame is opaque, so only "*" reaches it; nothing secret is ever sent.
    const post = (message: ToFrame, transfer: Transferable[] = []) =>
      frame.current?.contentWindow?.postMessage(message, "*", transfer);
    // Taken off the object first: the browser's own fetch refuses any other `this`.
    const { fetch, url } = latest.current;
    const file = (name: string) => fetch(new URL(name, new URL(pdfFrameUrl, location.href)));
    const bytes = foreignBytes(url, shown.sha256, fetch, ended.signal);
    bytes.catch(() => ended.signal.aborted || fail());
    let opened = false;
    let hasSpoken = false;

    const open = async () => {
      if (opened) return;
      opened = true;
      const [document, worker] = await Promise.all([
        bytes,
        file("worker.js").then((answer) => (answer.ok ? answer.text() : Promise.reject())),
      ]);
      const element = frame.current;
      if (!element) return;
      post(
        {
          musette: "open",
          bytes: document,
          worker,
          zoom: latest.current.zoom,
          dir: getComputedStyle(element).direction,
          lang: shown.locale ?? "",
        },
        [document],
      );
    };
    const give = async (name: string) => {
      const answer = await file(name).catch(() => undefined);
      post({ musette: "file", name, bytes: answer?.ok ? await answer.arrayBuffer() : null });
    };

    let timer = setTimeout(fail, FRAME_DEADLINE_MS);
    const failAfter = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(fail, ms);
    };
    const element = frame.current;
    const loaded = () => !hasSpoken && failAfter(SPEAKS_WITHIN_MS);
    element?.addEventListener("load", loaded);
    const listen = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow) return;
      const message = parseFromFrame(event.data);
      if (message && !hasSpoken) {
        hasSpoken = true;
        failAfter(FRAME_DEADLINE_MS);
      }
      if (message?.musette === "ready") open().catch(fail);
      else if (message?.musette === "need") give(message.name);
      else if (message?.musette === "zoom") latest.current.onZoom(message.zoom);
      else if (message?.musette === "close") latest.current.onClose();
      else if (message?.musette === "failed") fail();
      else if (message?.musette === "place") {
        clearTimeout(timer);
        setState("shown");
        latest.current.onPlace(message.page, message.pages);
        if (message.drawn) requestAnimationFrame(() => latest.current.onShown(message.page));
      }
    };
    addEventListener("message", listen);
    return () => {
      ended.abort();
      clearTimeout(timer);
      element?.removeEventListener("load", loaded);
      removeEventListener("message", listen);
    };
  }, [shown.sha256, shown.locale, pdfFrameUrl]);

  useEffect(() => {
    if (state === "shown")
      frame.current?.contentWindow?.postMessage({ musette: "zoom", zoom } satisfies ToFrame, "*");
  }, [state, zoom]);

  return (
    <>
      {state === "loading" && loading}
      <iframe
        ref={frame}
        className="mu-viewer-frame"
        data-state={state}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src={pdfFrameUrl}
        title={shown.title}
      />
    </>
  );
}
