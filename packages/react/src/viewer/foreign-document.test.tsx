// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { mount, until } from "../testing/mount";
import { ExternalDocument } from "./foreign-document";
import type { ToFrame } from "./pdf-frame/messages";

// The page of the frame is empty here. The tests send its messages.
const { settings } = Reflect.get(window, "happyDOM");
settings.enableIframePageLoading = true;
settings.disableIframePageLoading = false;
settings.fetch.interceptor = { beforeAsyncRequest: async () => new window.Response("") };

async function stage(answer: (url: string) => Response = () => new Response("%PDF-1.7")) {
  const fetch = vi.fn(async (url: RequestInfo | URL) => answer(String(url)));
  const callbacks = {
    onPlace: vi.fn(),
    onShown: vi.fn(),
    onZoom: vi.fn(),
    onClose: vi.fn(),
    onFailed: vi.fn(),
  };
  const node = (zoom: number) => (
    <ExternalDocument
      shown={{ id: 1, title: "External", content: "" }}
      url="https://other.example/theirs.pdf"
      pdfFrameUrl="/viewer/frame.html"
      loading={<p>loading</p>}
      {...{ fetch: fetch as never, zoom, ...callbacks }}
    />
  );
  const { page, show } = await mount(node(1));
  const frame = page.querySelector("iframe") as HTMLIFrameElement;
  const posted: ToFrame[] = [];
  const inside = { postMessage: (message: ToFrame) => posted.push(message) } as never;
  Object.defineProperty(frame, "contentWindow", { value: inside });
  const sendFromFrame = (data: unknown, source: unknown = inside) =>
    act(async () => {
      dispatchEvent(Object.assign(new Event("message"), { data, source }));
    });
  const kinds = () => posted.map(({ musette }) => musette);
  return {
    page,
    frame,
    fetch,
    posted,
    kinds,
    sendFromFrame,
    zoomTo: (zoom: number) => show(node(zoom)),
    ...callbacks,
  };
}

it("sandboxes the frame and sends it one document", async () => {
  const { frame, sendFromFrame, posted, kinds } = await stage();
  expect(frame.getAttribute("sandbox")).toBe("allow-scripts");
  await sendFromFrame({ musette: "ready" });
  await until(() => posted.length === 1);
  const [message] = posted;
  expect(message?.musette === "open" && message.bytes.byteLength).toBe(8);
  await sendFromFrame({ musette: "ready" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(kinds()).toEqual(["open"]);
});

it("accepts messages only from its own frame", async () => {
  const { sendFromFrame, onPlace, onClose } = await stage();
  await sendFromFrame({ musette: "place", page: 1, pages: 2 }, window);
  await sendFromFrame({ musette: "close" }, null);
  expect(onPlace).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
  await sendFromFrame({ musette: "place", page: 1, pages: 2 });
  expect(onPlace).toHaveBeenCalledWith(1, 2);
  await sendFromFrame({ musette: "close" });
  expect(onClose).toHaveBeenCalledTimes(1);
});

it("reports a page as shown after the frame has rendered it", async () => {
  const { sendFromFrame, onPlace, onShown } = await stage();
  await sendFromFrame({ musette: "place", page: 2, pages: 2 });
  await sendFromFrame({ musette: "place", page: 1, pages: 2, drawn: false });
  await until(() => onPlace.mock.calls.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(onShown).not.toHaveBeenCalled();
  await sendFromFrame({ musette: "place", page: 1, pages: 2, drawn: true });
  await until(() => onShown.mock.calls.length === 1);
  expect(onShown).toHaveBeenCalledWith(1);
});

it("shows a loading message until the first page, and then passes the zoom to the frame", async () => {
  const { page, sendFromFrame, zoomTo, posted, onZoom } = await stage();
  expect(page.textContent).toBe("loading");
  await sendFromFrame({ musette: "place", page: 1, pages: 2 });
  expect(page.textContent).toBe("");
  await zoomTo(2);
  expect(posted.at(-1)).toEqual({ musette: "zoom", zoom: 2 });
  await sendFromFrame({ musette: "zoom", zoom: 3 });
  expect(onZoom).toHaveBeenCalledWith(3);
});

it("fetches only the files that pdf.js may request", async () => {
  const { sendFromFrame, fetch, posted } = await stage((url) =>
    url.endsWith(".wasm") ? new Response("", { status: 404 }) : new Response("%PDF-1.7"),
  );
  const files = () => posted.filter((message) => message.musette === "file");
  await sendFromFrame({ musette: "need", name: "cmaps/Identity-H.bcmap" });
  await until(() => files().length === 1);
  expect(String(fetch.mock.calls.at(-1)?.[0])).toMatch(/\/viewer\/cmaps\/Identity-H\.bcmap$/);
  expect(files()[0]).toMatchObject({ name: "cmaps/Identity-H.bcmap" });
  await sendFromFrame({ musette: "need", name: "wasm/jbig2.wasm" });
  await until(() => files().length === 2);
  expect(files()[1]).toEqual({ musette: "file", name: "wasm/jbig2.wasm", bytes: null });
  const calls = fetch.mock.calls.length;
  await sendFromFrame({ musette: "need", name: "../api/session/v1/me" });
  expect(fetch.mock.calls.length).toBe(calls);
});

it("fails for a file that is not a PDF, a failing frame, and a frame without messages", async () => {
  const page = await stage(() => new Response("<!doctype html>"));
  await until(() => page.onFailed.mock.calls.length === 1);
  const broken = await stage();
  await broken.sendFromFrame({ musette: "failed" });
  expect(broken.onFailed).toHaveBeenCalledTimes(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const silent = await stage();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  vi.useRealTimers();
  expect(silent.onFailed).toHaveBeenCalledTimes(1);
});

it("fails one second after another page has loaded, but waits for a frame with a message", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const other = await stage();
  await act(async () => other.frame.dispatchEvent(new Event("load")));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(other.onFailed).toHaveBeenCalledTimes(1);
  const slow = await stage();
  await slow.sendFromFrame({ musette: "ready" });
  await act(async () => slow.frame.dispatchEvent(new Event("load")));
  await act(() => vi.advanceTimersByTimeAsync(19_000));
  expect(slow.onFailed).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  expect(slow.onFailed).toHaveBeenCalledTimes(1);
});
