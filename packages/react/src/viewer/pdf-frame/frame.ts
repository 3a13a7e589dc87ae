import { getDocument, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs";
import { listenGestures } from "../gestures";
import {
  type Anchor,
  anchorInMiddle,
  clampZoom,
  pageInView,
  restoreAnchor,
  stepZoom,
} from "../zoom";
import { createPage, type DrawnPage } from "./drawn-page";
import { FrameFileLoader, resolveFile } from "./files";
import type { OpenMessage, ToFrame } from "./messages";
import { post } from "./post";

/** The maximum number of pages, which equals the limit of the server. A file may claim a million pages. */
const MAX_PAGES = 300;
/** The number of pages rendered at the same time. It fits into the memory of an old phone. */
const MAX_DRAWN = 8;

const surface = document.getElementById("surface") as HTMLElement;
// A scrollable element must be reachable by keyboard.
surface.tabIndex = 0;
const container = document.getElementById("pages") as HTMLElement;
let zoom = 1;
let pages: readonly DrawnPage[] = [];

function setZoom(next: number, anchor: Anchor | undefined): void {
  zoom = clampZoom(next);
  surface.style.setProperty("--zoom", String(zoom));
  restoreAnchor(surface, anchor);
  scheduleDraw();
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** Renders the pages after a delay. During a gesture the browser stretches the old canvas. */
function scheduleDraw(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const current = (pageInView(surface) || 1) - 1;
    for (const [index, page] of pages.entries()) {
      const distance = Math.abs(index - current);
      if (distance < MAX_DRAWN / 4) page.draw().then(postPlace, () => {});
      else if (distance > MAX_DRAWN / 2) page.drop();
    }
  }, 80);
}

function postPlace(): void {
  const page = pageInView(surface) || 1;
  const drawn = pages[page - 1]?.isDrawn() === true;
  post({ musette: "place", page, pages: pages.length, drawn });
}

function startWorker(source: string): PDFWorker {
  // A worker must have the origin of the frame. This origin is opaque, so only a blob created here has it.
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const port = new Worker(url);
  port.addEventListener("error", () => post({ musette: "failed" }));
  return new PDFWorker({ port } as never);
}

async function open(message: OpenMessage): Promise<void> {
  document.documentElement.dir = message.dir;
  document.documentElement.lang = message.lang;
  const pdf = await getDocument({
    data: new Uint8Array(message.bytes),
    worker: startWorker(message.worker),
    BinaryDataFactory: FrameFileLoader,
    useWorkerFetch: false,
    cMapUrl: "cmaps/",
    cMapPacked: true,
    standardFontDataUrl: "standard_fonts/",
    wasmUrl: "wasm/",
    enableXfa: false,
    disableWorkerRendering: true,
    maxImageSize: 64_000_000,
    verbosity: 0,
  }).promise;
  if (pdf.numPages > MAX_PAGES) throw new Error("the document has more than 300 pages");
  const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const ratio = first.width / first.height;
  pages = Array.from({ length: pdf.numPages }, (_, index) => createPage(pdf, index + 1, ratio));
  container.append(...pages.map((page) => page.element));
  setZoom(message.zoom, undefined);
  await pages[0]?.draw();
  postPlace();
  surface.focus();
}

let isOpened = false;
addEventListener("message", (event: MessageEvent<ToFrame>) => {
  if (event.source !== parent) return;
  const message = event.data;
  if (message.musette === "open" && !isOpened) {
    isOpened = true;
    open(message).catch(() => post({ musette: "failed" }));
  } else if (message.musette === "file") resolveFile(message.name, message.bytes);
  else if (message.musette === "zoom" && message.zoom !== zoom)
    setZoom(message.zoom, anchorInMiddle(surface));
});

const postZoom = (next: number) => post({ musette: "zoom", zoom: clampZoom(next) });
listenGestures(
  surface,
  () => zoom,
  (next, anchor) => {
    setZoom(next, anchor);
    postZoom(zoom);
  },
);
surface.addEventListener("scroll", () => {
  postPlace();
  scheduleDraw();
});
addEventListener("resize", scheduleDraw);
// Handles the keys of the viewer, which do not reach the page while the frame has the focus.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") post({ musette: "close" });
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "+" || event.key === "=") postZoom(stepZoom(zoom, 1));
  else if (event.key === "-") postZoom(stepZoom(zoom, -1));
  else if (event.key === "0") postZoom(1);
});
if (parent !== window) post({ musette: "ready" });
