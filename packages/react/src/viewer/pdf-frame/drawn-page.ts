import { type PDFDocumentProxy, TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The maximum size of a canvas. Phones reject larger ones, and a malicious page may claim any size. */
const MAX_CANVAS_PIXELS = 12_000_000;

export interface DrawnPage {
  readonly element: HTMLElement;
  /** Renders the page at its current size on the screen. */
  draw(): Promise<void>;
  isDrawn(): boolean;
  /** Removes the canvas to free its memory. */
  drop(): void;
}

export function createPage(pdf: PDFDocumentProxy, number: number, ratio: number): DrawnPage {
  const element = document.createElement("div");
  element.dataset.page = String(number);
  element.role = "group";
  element.ariaLabel = `${number} / ${pdf.numPages}`;
  element.style.aspectRatio = String(ratio);
  let drawnWidth = 0;

  const draw = async () => {
    const width = element.clientWidth;
    if (!width || drawnWidth === width) return;
    const isRedraw = drawnWidth > 0;
    drawnWidth = width;
    const page = await pdf.getPage(number);
    const natural = page.getViewport({ scale: 1 });
    element.style.aspectRatio = String(natural.width / natural.height);
    element.style.setProperty("--total-scale-factor", String(width / natural.width));

    const idealScale = (width * devicePixelRatio) / natural.width;
    const maxScale = Math.sqrt(MAX_CANVAS_PIXELS / (natural.width * natural.height));
    const viewport = page.getViewport({ scale: Math.min(idealScale, maxScale) });
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    await page.render({ canvas, viewport, annotationMode: 0 }).promise;
    if (drawnWidth !== width) return;
    element.querySelector("canvas")?.remove();
    element.prepend(canvas);
    if (!isRedraw && !element.querySelector(".text")) await drawText(page, natural, element);
  };

  return {
    element,
    draw,
    isDrawn: () => element.querySelector("canvas") !== null,
    drop() {
      drawnWidth = 0;
      element.querySelector("canvas")?.remove();
    },
  };
}

async function drawText(
  page: Awaited<ReturnType<PDFDocumentProxy["getPage"]>>,
  viewport: ReturnType<typeof page.getViewport>,
  element: HTMLElement,
): Promise<void> {
  const container = document.createElement("div");
  container.className = "text";
  element.append(container);
  await new TextLayer({
    textContentSource: page.streamTextContent(),
    container,
    viewport,
  }).render();
}
