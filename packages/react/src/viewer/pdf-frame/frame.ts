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
import { FilesFromPage, giveFile } from "./files";
import type { OpenMessage, ToFrame } from "./messages";
import { post } from "./post";

/** The limit of the server too; a file may claim a million pages. */
const MAX_PAGES = 300;
/** Pages drawn at the same time, about the memory that an old phone can spare. */
const MAX_DRAWN = 8;

const surface = document.getElementById("surface") as HTMLElement;
// What scrolls must be reachable by keyboard.
surface.tabIndex = 0;
const holder = document.getElementById("pages") as HTMLElement;
let zoom = 1;
let pages: readonly DrawnPage[] = [];

function setZoom(next: number, held: Anchor | undefined): void {
  zoom = clampZoom(next);
  surface.style.setProperty("--zoom", String(zoom));
  restoreAnchor(surface, held);
  drawSoon();
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** While fingers move the old canvas is stretched; it is drawn sharply when they rest. */
function drawSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const current = (pageInView(surface) || 1) - 1;
    for (const [index, page] of pages.entries()) {
      const distance = Math.abs(index - current);
      if (distance < MAX_DRAWN / 4) page.draw().then(tellPlace, () => {});
      else if (distance > MAX_DRAWN / 2) page.drop();
    }
  }, 80);
}

function tellPlace(): void {
  const page = pageInView(surface) || 1;
  const drawn = pages[page - 1]?.isDrawn() === true;
  post({ musette: "place", page, pages: pages.length, drawn });
}

function startWorker(source: string): PDFWorker {
  // A worker must come from the frame's own origin, which is opaque: only a blob of its own is.
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
    BinaryDataFactory: FilesFromPage,
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
  if (pdf.numPages > MAX_PAGES) throw new Error("too many pages");
  const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const ratio = first.width / first.height;
  pages = Array.from({ length: pdf.numPages }, (_, index) => createPage(pdf, index + 1, ratio));
  holder.append(...pages.map((page) => page.element));
  setZoom(message.zoom, undefined);
  await pages[0]?.draw();
  tellPlace();
  surface.focus();
}

let opened = false;
addEventListener("message", (event: MessageEvent<ToFrame>) => {
  if (event.source !== parent) return;
  const message = event.data;
  if (message.musette === "open" && !opened) {
    opened = true;
    open(message).catch(() => post({ musette: "failed" }));
  } else if (message.musette === "file") giveFile(message.name, message.bytes);
  else if (message.musette === "zoom" && message.zoom !== zoom)
    setZoom(message.zoom, anchorInMiddle(surface));
});

const ask = (next: number) => post({ musette: "zoom", zoom: clampZoom(next) });
listenGestures(
  surface,
  () => zoom,
  (next, anchor) => {
    setZoom(next, anchor);
    ask(zoom);
  },
);
surface.addEventListener("scroll", () => {
  tellPlace();
  drawSoon();
});
addEventListener("resize", drawSoon);
// The keys of the viewer, which do not reach the page while the focus is in here.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") post({ musette: "close" });
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "+" || event.key === "=") ask(stepZoom(zoom, 1));
  else if (event.key === "-") ask(stepZoom(zoom, -1));
  else if (event.key === "0") ask(1);
});
if (parent !== window) post({ musette: "ready" });
