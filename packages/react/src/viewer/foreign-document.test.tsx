// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { mount, until } from "../testing/mount";
import { ForeignDocument } from "./foreign-document";
import type { ToFrame } from "./pdf-frame/messages";

// The frame's page is an empty one here: what it would say, the tests say.
const { settings } = Reflect.get(window, "happyDOM");
settings.enableIframePageLoading = true;
settings.disableIframePageLoading = false;
settings.fetch.interceptor = { beforeAsyncRequest: async () => new window.Response("") };

async function stage(answer: (url: string) => Response = () => new Response("%PDF-1.7")) {
  const fetch = vi.fn(async (url: RequestInfo | URL) => answer(String(url)));
  const on = {
    onPlace: vi.fn(),
    onShown: vi.fn(),
    onZoom: vi.fn(),
    onClose: vi.fn(),
    onFailed: vi.fn(),
  };
  const node = (zoom: number) => (
    <ForeignDocument
      shown={{ id: 1, title: "Theirs", content: "" }}
      url="https://other.example/theirs.pdf"
      pdfFrameUrl="/viewer/frame.html"
      loading={<p>loading</p>}
      {...{ fetch: fetch as never, zoom, ...on }}
    />
  );
  const { page, show } = await mount(node(1));
  const frame = page.querySelector("iframe") as HTMLIFrameElement;
  const posted: ToFrame[] = [];
  const inside = { postMessage: (message: ToFrame) => posted.push(message) } as never;
  Object.defineProperty(frame, "contentWindow", { value: inside });
  const say = (data: unknown, source: unknown = inside) =>
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
    say,
    zoomTo: (zoom: number) => show(node(zoom)),
    ...on,
  };
}

it("holds the frame without origin, and hands it one document", async () => {
  const { frame, say, posted, kinds } = await stage();
  expect(frame.getAttribute("sandbox")).toBe("allow-scripts");
  await say({ musette: "ready" });
  await until(() => posted.length === 1);
  const [message] = posted;
  expect(message?.musette === "open" && message.bytes.byteLength).toBe(8);
  await say({ musette: "ready" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(kinds()).toEqual(["open"]);
});

it("listens to its own frame only", async () => {
  const { say, onPlace, onClose } = await stage();
  await say({ musette: "place", page: 1, pages: 2 }, window);
  await say({ musette: "close" }, null);
  expect(onPlace).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
  await say({ musette: "place", page: 1, pages: 2 });
  expect(onPlace).toHaveBeenCalledWith(1, 2);
  await say({ musette: "close" });
  expect(onClose).toHaveBeenCalledTimes(1);
});

it("a page counts as shown once the frame has drawn it", async () => {
  const { say, onPlace, onShown } = await stage();
  await say({ musette: "place", page: 2, pages: 2 });
  await say({ musette: "place", page: 1, pages: 2, drawn: false });
  await until(() => onPlace.mock.calls.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(onShown).not.toHaveBeenCalled();
  await say({ musette: "place", page: 1, pages: 2, drawn: true });
  await until(() => onShown.mock.calls.length === 1);
  expect(onShown).toHaveBeenCalledWith(1);
});

it("shows that it loads until the first page is there, then passes the zoom on", async () => {
  const { page, say, zoomTo, posted, onZoom } = await stage();
  expect(page.textContent).toBe("loading");
  await say({ musette: "place", page: 1, pages: 2 });
  expect(page.textContent).toBe("");
  await zoomTo(2);
  expect(posted.at(-1)).toEqual({ musette: "zoom", zoom: 2 });
  await say({ musette: "zoom", zoom: 3 });
  expect(onZoom).toHaveBeenCalledWith(3);
});

it("fetches what pdf.js may ask for, beside the frame, and nothing else", async () => {
  const { say, fetch, posted } = await stage((url) =>
    url.endsWith(".wasm") ? new Response("", { status: 404 }) : new Response("%PDF-1.7"),
  );
  const files = () => posted.filter((message) => message.musette === "file");
  await say({ musette: "need", name: "cmaps/Identity-H.bcmap" });
  await until(() => files().length === 1);
  expect(String(fetch.mock.calls.at(-1)?.[0])).toMatch(/\/viewer\/cmaps\/Identity-H\.bcmap$/);
  expect(files()[0]).toMatchObject({ name: "cmaps/Identity-H.bcmap" });
  await say({ musette: "need", name: "wasm/jbig2.wasm" });
  await until(() => files().length === 2);
  expect(files()[1]).toEqual({ musette: "file", name: "wasm/jbig2.wasm", bytes: null });
  const calls = fetch.mock.calls.length;
  await say({ musette: "need", name: "../api/session/v1/me" });
  expect(fetch.mock.calls.length).toBe(calls);
});

it("fails for what is no PDF, for a frame that fails, and for one that never answers", async () => {
  const page = await stage(() => new Response("<!doctype html>"));
  await until(() => page.onFailed.mock.calls.length === 1);
  const broken = await stage();
  await broken.say({ musette: "failed" });
  expect(broken.onFailed).toHaveBeenCalledTimes(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const silent = await stage();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  vi.useRealTimers();
  expect(silent.onFailed).toHaveBeenCalledTimes(1);
});

it("fails a second after the frame loaded another page, and waits for a frame that has spoken", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const other = await stage();
  await act(async () => other.frame.dispatchEvent(new Event("load")));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(other.onFailed).toHaveBeenCalledTimes(1);
  const slow = await stage();
  await slow.say({ musette: "ready" });
  await act(async () => slow.frame.dispatchEvent(new Event("load")));
  await act(() => vi.advanceTimersByTimeAsync(19_000));
  expect(slow.onFailed).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  expect(slow.onFailed).toHaveBeenCalledTimes(1);
});
