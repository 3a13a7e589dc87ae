// @vitest-environment happy-dom
import { act, StrictMode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { click, mount, until } from "../testing/mount";
import { loadTexts } from "../texts";
import { DocumentViewer } from "./document-viewer";
import { picturesAround } from "./pages";
import type { DocumentViewerProps, ViewerDocument } from "./props";

const { viewer: texts } = await loadTexts("en");

// Each test uses new documents, because the page caches files that it has fetched.
let serial = 0;
let files: Map<string, unknown>;
let fetch: DocumentViewerProps["fetch"] & { mock: { calls: unknown[][] } };

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, "");
  files = new Map();
  fetch = vi.fn(async (url: RequestInfo | URL) => {
    const body = files.get(String(url));
    if (body instanceof Error) throw body;
    return new Response(JSON.stringify(body ?? null), { status: body ? 200 : 404 });
  }) as never;
});

interface Contents {
  readonly pages?: number;
  readonly blocks?: readonly object[];
  readonly text?: string;
  /** Pages whose text may differ from their image; absent as in documents published by early versions. */
  readonly doubts?: readonly object[];
}

function publish(title: string, { pages = 3, blocks = [], text = "words", doubts }: Contents = {}) {
  const at = `https://riders.example/documents/${(++serial).toString(16).padStart(64, "0")}`;
  const path = new URL(at).pathname;
  files.set(`${at}/manifest.json`, {
    text,
    ...(doubts && { doubts }),
    reading: `${path}/reading.json`,
    pages: Array.from({ length: pages }, (_, index) => ({
      width: 780,
      height: 1103,
      src: `${path}/${index + 1}.png`,
      src2x: `${path}/${index + 1}@2x.png`,
      lines: `${path}/${index + 1}.json`,
    })),
  });
  const line = { x: 78, y: 100, width: 390, height: 20, text: `Line of ${title}`, dir: "ltr" };
  files.set(`${at}/1.json`, { lines: [line] });
  files.set(`${at}/reading.json`, { blocks });
  return { id: serial, title, content: `${at}.pdf` } satisfies ViewerDocument;
}

async function open(
  documents: readonly ViewerDocument[],
  props: Partial<DocumentViewerProps> = {},
) {
  const onClose = vi.fn();
  const onIndexChange = vi.fn();
  const node = (index: number) => (
    <DocumentViewer {...{ documents, index, onClose, onIndexChange, texts, fetch }} {...props} />
  );
  const mounted = await mount(node(0));
  const find = (selector: string) => mounted.page.querySelector<HTMLElement>(selector);
  return {
    ...mounted,
    onClose,
    onIndexChange,
    find,
    go: (index: number) => mounted.show(node(index)),
    button: (name: string) => find(`button[title="${name}"]`),
    waitForText: (text: string) => until(() => mounted.page.textContent?.includes(text) ?? false),
  };
}

const requestedUrls = () => fetch.mock.calls.map(([url]) => String(url));

it("shows the pages as sharp images with a text layer", async () => {
  const agreement = publish("Agreement");
  const onPage = vi.fn();
  const { page, find, waitForText } = await open([agreement], { onPage });
  await waitForText("Line of Agreement");
  const images = [...page.querySelectorAll("img")];
  expect(images.map((image) => image.getAttribute("loading"))).toEqual(["eager", "lazy", "lazy"]);
  const base = agreement.content.replace(".pdf", "");
  expect(images[0]?.getAttribute("srcset")).toBe(`${base}/1.png 780w, ${base}/1@2x.png 1560w`);
  expect(find("[data-page='2']")?.getAttribute("aria-label")).toBe("Page 2 of 3");
  const line = find(".mu-viewer-line");
  expect(line?.getAttribute("style")).toContain("left: 10%");
  expect(find(".mu-viewer-place")?.textContent).toBe("Page 1 of 3");
  // No image has loaded yet.
  expect(onPage).not.toHaveBeenCalled();
  expect(page.textContent).not.toContain(" of 1");
});

it("loads images for as many pages as fit into memory", () => {
  const pages = (width: number, height: number) => Array(300).fill({ width, height });
  expect(picturesAround(pages(780, 1103), 150)).toBe(4);
  expect(picturesAround(pages(780, 1103), 1)).toBe(4);
  expect(picturesAround(pages(780, 2200), 150), "ribbons").toBe(2);
  expect(picturesAround(pages(2200, 2200), 150), "posters").toBe(0);
  expect(picturesAround([{ width: 780, height: 1103 }], 1)).toBe(4);
});

it("shows a malicious title as text", async () => {
  const { find } = await open([publish("<img src=x onerror=alert(1)>\u202Eabc")]);
  expect(find("h1 bdi")?.textContent).toBe("<img src=x onerror=alert(1)>\u202Eabc");
  expect(find("h1 img")).toBeNull();
});

it("navigates through all documents and prefetches the next one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const documents = [publish("First"), publish("Second")];
  const { button, find, go, onIndexChange } = await open(documents);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  expect(requestedUrls().filter((url) => url.endsWith("manifest.json"))).toHaveLength(2);
  expect(find("[aria-live]")?.textContent).toBe("1 of 2");
  await click(button(texts.previous));
  expect(onIndexChange).not.toHaveBeenCalled();
  await click(button(texts.next));
  expect(onIndexChange).toHaveBeenCalledWith(1);
  await go(1);
  expect(find("[aria-live]")?.textContent).toBe("2 of 2");
  expect(find("h1")?.textContent).toBe("Second");
  expect(button(texts.next)?.getAttribute("aria-disabled")).toBe("true");
});

it("zooms by buttons and keys", async () => {
  const { button, find, waitForText, page } = await open([publish("Zoomed")]);
  await waitForText("Line of Zoomed");
  const zoom = () => find("section")?.style.getPropertyValue("--mu-viewer-zoom");
  await click(button(texts.zoomIn));
  expect(zoom()).toBe("1.5");
  expect(page.querySelector("img")?.getAttribute("sizes")).toBe("calc(min(100vw, 780px) * 1.5)");
  const press = (init: KeyboardEventInit) =>
    act(async () => {
      find("section")?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
    });
  await press({ key: "+" });
  expect(zoom()).toBe("2");
  await press({ key: "-" });
  expect(zoom()).toBe("1.5");
  // Browser shortcuts for zoom are not handled.
  await press({ key: "+", ctrlKey: true });
  expect(zoom()).toBe("1.5");
  await press({ key: "0" });
  expect(zoom()).toBe("1");
});

it("shows text with headings, lists and directions, and stores the choice of the view", async () => {
  const blocks = [
    { page: 1, kind: "heading", level: 1, text: "Duties", dir: "ltr" },
    { page: 1, kind: "item", text: "Be careful", dir: "ltr" },
    { page: 1, kind: "item", text: "Be kind", dir: "ltr" },
    { page: 2, kind: "heading", level: 3, text: "More", dir: "ltr" },
    { page: 2, kind: "paragraph", text: "مرحبا", dir: "rtl" },
  ];
  const onPage = vi.fn();
  const { find, page, waitForText, leave } = await open([publish("Read", { blocks })], { onPage });
  await waitForText(texts.readAsText);
  await click(find(".mu-viewer-offer"));
  await waitForText("Be careful");
  // In this environment without a layout the end of the text is in view.
  await until(() => onPage.mock.calls.length > 0);
  expect(onPage.mock.calls[0]?.[1]).toBe(2);
  expect(find("h2")?.textContent).toBe("Duties");
  expect(find("h4")?.getAttribute("data-page")).toBe("2");
  expect([...page.querySelectorAll("ul li")].map((item) => item.textContent)).toEqual([
    "Be careful",
    "Be kind",
  ]);
  expect(find("p[dir=rtl]")?.textContent).toBe("مرحبا");
  expect(find(".mu-viewer-offer")).toBeNull();
  await leave();
  const reopened = await open([publish("Another", { blocks })]);
  await reopened.waitForText("Be careful");
  await click(reopened.button(texts.pageView));
  await reopened.waitForText("Line of Another");
});

const BLOCKS = [
  { page: 1, kind: "paragraph", text: "Be careful", dir: "ltr" },
  { page: 3, kind: "paragraph", text: "Be kind", dir: "ltr" },
];

/** Simulates a phone or a wide screen. */
const onPhone = (matches = true) => {
  const matchMedia = vi.spyOn(globalThis, "matchMedia");
  matchMedia.mockImplementation(
    (query) => ({ ...new EventTarget(), matches, media: query }) as never,
  );
  return matchMedia;
};

it("starts with the text on a phone until the user chooses the pages", async () => {
  const matchMedia = onPhone();
  const first = await open([publish("Text", { blocks: BLOCKS, doubts: [] })]);
  await first.waitForText("Be careful");
  expect(matchMedia).toHaveBeenCalledWith("(max-width:480px) and (pointer:coarse)");
  expect(first.find(".mu-viewer-note")?.textContent).toContain(texts.readingNote);
  expect(first.find(".mu-viewer-offer")).toBeNull();
  // The user did not choose it, so it is not stored.
  expect(localStorage.getItem("mu-viewer-view")).toBeNull();
  await click(first.button(texts.pageView));
  await first.waitForText("Line of Text");
  await first.leave();
  const second = await open([publish("Pages", { blocks: BLOCKS, doubts: [] })]);
  await second.waitForText("Line of Pages");
  // A user who chose the pages is not offered the text again.
  expect(second.find(".mu-viewer-offer")).toBeNull();
  await click(second.button(texts.readingView));
  await second.waitForText("Be careful");
});

it.each([
  ["without measured doubts", true, { blocks: BLOCKS }, 1],
  [
    "with doubts about half of its pages",
    true,
    {
      pages: 4,
      blocks: BLOCKS,
      doubts: [
        { page: 1, kind: "order" },
        { page: 2, kind: "words" },
      ],
    },
    1,
  ],
  ["that is a scan", true, { text: " ", doubts: [] }, 0],
  ["on a wide screen", false, { blocks: BLOCKS, doubts: [] }, 1],
])("starts with the pages of a document %s", async (_, phone, contents, offers) => {
  onPhone(phone);
  const { page, find, waitForText } = await open([publish("Pages", contents)]);
  await waitForText("Line of Pages");
  expect(page.querySelector(".mu-viewer-reading")).toBeNull();
  expect(page.querySelectorAll(".mu-viewer-offer")).toHaveLength(offers);
  expect(find("footer [data-icon=text]")).not.toBeNull();
});

it("starts with the text if one page has two doubts", async () => {
  onPhone();
  const doubts = [
    { page: 2, kind: "order" },
    { page: 2, kind: "words" },
  ];
  const { waitForText } = await open([publish("Mostly", { blocks: BLOCKS, doubts })]);
  await waitForText("Be careful");
});

it("shows a message for a scan without text, with a button to the pages", async () => {
  const { find, button, page, waitForText } = await open([publish("Scan", { text: "" })]);
  await until(() => page.querySelector("img") !== null);
  expect(find(".mu-viewer-offer")).toBeNull();
  await click(button(texts.readingView));
  await waitForText(texts.noText);
  await click(find(".mu-viewer-message button"));
  await until(() => page.querySelector("img") !== null);
});

it("opens a scan as pages whatever view was chosen, and other documents in the chosen view", async () => {
  const paragraph = { kind: "paragraph", page: 1, text: "Words of the agreement", dir: "ltr" };
  const scan = publish("Certificate", { text: " ", blocks: [] });
  const doubtful = publish("Licence", { pages: 2, doubts: [{ page: 1 }, { page: 2 }] });
  const agreement = publish("Agreement", { blocks: [paragraph], doubts: [] });
  localStorage.setItem("mu-viewer-view", "reading");
  const { find, go, button } = await open([scan, doubtful, agreement]);
  await until(() => find(".mu-viewer-pages") !== null);
  await go(1);
  await until(() => find("[aria-label='Licence'] .mu-viewer-pages") !== null);
  await go(2);
  await until(() => find(".mu-viewer-reading") !== null);
  // A choice for a scan changes no other document.
  await click(button("Page view"));
  await go(0);
  await until(() => find(".mu-viewer-pages") !== null);
  await click(button("Reading view"));
  expect(localStorage.getItem("mu-viewer-view")).toBe("pages");
  await go(2);
  await until(() => find(".mu-viewer-pages") !== null);
});

it("marks a page as loading until its image is drawn", async () => {
  const { find } = await open([publish("Agreement")]);
  await until(() => find("[data-page='1'] img") !== null);
  expect(find("[data-page='1']")?.dataset.loading).toBe("true");
  await act(async () => find("[data-page='1'] img")?.dispatchEvent(new Event("load")));
  expect(find("[data-page='1']")?.dataset.loading).toBeUndefined();
});

it("shows an error and a retry button if a document cannot be loaded", async () => {
  const late = publish("Late");
  const manifest = late.content.replace(".pdf", "/manifest.json");
  const contents = files.get(manifest);
  files.set(manifest, new TypeError("offline"));
  const { find, waitForText } = await open([late]);
  await waitForText(texts.failed);
  expect(find("[role=alert] a")?.getAttribute("href")).toBe(late.content);
  expect(find("[role=alert] a")?.getAttribute("download")).toBe("Late.pdf");
  files.set(manifest, contents);
  await click(find("[role=alert] button"));
  await waitForText("Line of Late");
});

it("retries a document and its text when the device is online again", async () => {
  const late = publish("Late");
  const addresses = ["/manifest.json", "/reading.json"].map((to) =>
    late.content.replace(".pdf", to),
  );
  const contents = addresses.map((address) => files.get(address));
  for (const address of addresses) files.set(address, new TypeError("offline"));
  const online = (index: number) => {
    files.set(addresses[index] as string, contents[index]);
    return act(async () => {
      dispatchEvent(new Event("online"));
    });
  };
  const { button, waitForText } = await open([late]);
  await waitForText(texts.failed);
  await online(0);
  await waitForText("Line of Late");
  await click(button(texts.readingView));
  await waitForText(texts.failed);
  await online(1);
  await waitForText(texts.noText);
});

it("shows an error for one missing page, keeps the other pages, and retries", async () => {
  const onPage = vi.fn();
  const { page, find, waitForText } = await open([publish("Torn")], { onPage });
  await waitForText("Line of Torn");
  const second = "[data-page='2']";
  const fail = () =>
    act(async () => {
      find(`${second} img`)?.dispatchEvent(new Event("error"));
    });
  await fail();
  expect(find(`${second} [role=status]`)?.textContent).toContain(texts.pageFailed(2));
  expect(page.textContent).not.toContain(texts.failed);
  expect(find("[data-page='1'] [role=status]")).toBeNull();
  const failed = find(`${second} img`);
  await click(find(`${second} button`));
  expect(find(`${second} button`)).toBeNull();
  expect(find(`${second} img`)).not.toBe(failed);
  expect(document.activeElement).toBe(find("section"));
  // It loads automatically when online again.
  await fail();
  await act(async () => {
    dispatchEvent(new Event("online"));
  });
  expect(find(`${second} [role=status]`)).toBeNull();
  // If that fails too, it retries after some time.
  vi.useFakeTimers();
  await fail();
  expect(find(`${second} [role=status]`)).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  vi.useRealTimers();
  expect(find(`${second} [role=status]`)).toBeNull();
  expect(onPage).not.toHaveBeenCalled();
});

it("does not fetch or link a malicious address", async () => {
  const { page, find } = await open([{ id: 1, title: "Bad", content: "javascript:alert(1)" }]);
  expect(find("[role=alert]")?.textContent).toBe(texts.failed);
  expect(page.querySelector("a")).toBeNull();
  expect(requestedUrls()).toEqual([]);
});

/** Closes as a browser does: the event fires later, when strict mode may have reopened the dialog. */
function closeLikeABrowser(this: HTMLDialogElement) {
  if (!this.open) return;
  this.removeAttribute("open");
  setTimeout(() => this.dispatchEvent(new Event("close")));
}

it.each([false, true])(
  "closes on back and leaves no history entry (strict: %s)",
  async (strict) => {
    vi.spyOn(HTMLDialogElement.prototype, "close").mockImplementation(closeLikeABrowser);
    const back = vi.spyOn(history, "back").mockReturnValue();
    const documents = [publish("Closed")];
    const onClose = vi.fn();
    const viewer = (
      <DocumentViewer {...{ documents, onClose, texts, fetch }} index={0} onIndexChange={vi.fn()} />
    );
    const { leave } = await mount(strict ? <StrictMode>{viewer}</StrictMode> : viewer);
    await until(() => history.state?.muViewer === 1);
    expect(onClose).not.toHaveBeenCalled();
    history.replaceState(null, "");
    await act(async () => {
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await until(() => onClose.mock.calls.length === 1);
    await leave();
    expect(back).not.toHaveBeenCalled();
  },
);

it("removes its history entry when it is closed in another way", async () => {
  const { leave } = await open([publish("Entry")]);
  await until(() => history.state?.muViewer === 1);
  const back = vi.spyOn(history, "back").mockReturnValue();
  await leave();
  expect(back).toHaveBeenCalledTimes(1);
});
