import { type ReactNode, useEffect, useRef, useState } from "react";
import { fetchExternalPdf } from "./foreign-bytes";
import type { Fetch } from "./manifest";
import { parseFromFrame, type ToFrame } from "./pdf-frame/messages";
import type { ViewerDocument } from "./props";

interface ExternalDocumentProps {
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

/** Limit from the frame's first message to its first page. It allows for a large document on a slow phone. */
const FRAME_DEADLINE_MS = 20_000;
/**
 * Limit from the frame's `load` event to its first message. The script of the frame sends a message before `load`, so
 * a page without a message is another page. A host that does not serve the frame often responds with its
 * `index.html` and status 200.
 */
const FIRST_MESSAGE_MS = 1_000;

/**
 * Shows a PDF that Musette does not serve. pdf.js renders it in a frame with an opaque origin, which has no cookies,
 * no storage and no network. This component fetches the document and the files that pdf.js needs, and sends their
 * bytes to the frame.
 */
export function ExternalDocument(props: ExternalDocumentProps) {
  const { shown, pdfFrameUrl, zoom, loading } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<"loading" | "shown">("loading");
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const controller = new AbortController();
    const fail = () => latest.current.onFailed();
    // The origin of the frame is opaque, so the target must be "*". The messages contain no secrets.
    const post = (message: ToFrame, transfer: Transferable[] = []) =>
      frame.current?.contentWindow?.postMessage(message, "*", transfer);
    // Destructured, because the browser's fetch throws if it is called as a method of another object.
    const { fetch, url } = latest.current;
    const fetchFile = (name: string) => fetch(new URL(name, new URL(pdfFrameUrl, location.href)));
    const bytes = fetchExternalPdf(url, shown.sha256, fetch, controller.signal);
    bytes.catch(() => controller.signal.aborted || fail());
    let isOpened = false;
    let hasSentMessage = false;

    const open = async () => {
      if (isOpened) return;
      isOpened = true;
      const [document, worker] = await Promise.all([
        bytes,
        fetchFile("worker.js").then((response) =>
          response.ok ? response.text() : Promise.reject(),
        ),
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
    const sendFile = async (name: string) => {
      const response = await fetchFile(name).catch(() => undefined);
      post({ musette: "file", name, bytes: response?.ok ? await response.arrayBuffer() : null });
    };

    let timer = setTimeout(fail, FRAME_DEADLINE_MS);
    const failAfter = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(fail, ms);
    };
    const element = frame.current;
    const onLoad = () => !hasSentMessage && failAfter(FIRST_MESSAGE_MS);
    element?.addEventListener("load", onLoad);
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow) return;
      const message = parseFromFrame(event.data);
      if (message && !hasSentMessage) {
        hasSentMessage = true;
        failAfter(FRAME_DEADLINE_MS);
      }
      if (message?.musette === "ready") open().catch(fail);
      else if (message?.musette === "need") sendFile(message.name);
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
    addEventListener("message", onMessage);
    return () => {
      controller.abort();
      clearTimeout(timer);
      element?.removeEventListener("load", onLoad);
      removeEventListener("message", onMessage);
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
