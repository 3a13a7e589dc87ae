// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchShown } from "./shown";

const PAGE_PX = 1000;

let scroller: HTMLElement;
let stop = () => {};

/** Creates three pages with the height of the screen. `at` is the scroll position. */
function stage(content: (page: number) => string) {
  let at = 0;
  const box = (top: number) => ({ top, height: PAGE_PX, left: 0, width: 400 }) as DOMRect;
  scroller = document.body.appendChild(document.createElement("section"));
  scroller.getBoundingClientRect = () => box(0);
  const size = { clientHeight: PAGE_PX, scrollHeight: 3 * PAGE_PX };
  for (const [name, value] of Object.entries(size))
    Object.defineProperty(scroller, name, { value });
  const fill = () => {
    scroller.innerHTML = [1, 2, 3]
      .map((page) => `<div data-page="${page}">${content(page)}</div>`)
      .join("");
    for (const [index, page] of [...scroller.children].entries())
      page.getBoundingClientRect = () => box(index * PAGE_PX - at);
  };
  const onShown = vi.fn();
  stop = watchShown(scroller, onShown);
  const scrollTo = (page: number) => {
    at = (page - 1) * PAGE_PX;
    Object.defineProperty(scroller, "scrollTop", { value: at, configurable: true });
    scroller.dispatchEvent(new Event("scroll"));
  };
  scrollTo(1);
  return { fill, onShown, scrollTo };
}

const pictures = () => [...scroller.querySelectorAll("img")];

/** Completes the load of an image as a browser does: also a broken image is `complete`. */
function completeLoad(picture: HTMLImageElement | undefined, decode: () => Promise<void>) {
  if (!picture) throw new Error("the image does not exist");
  Object.defineProperty(picture, "complete", { value: true });
  Object.defineProperty(picture, "naturalWidth", { value: 780 });
  picture.decode = decode;
  picture.dispatchEvent(new Event("load"));
}

const waitForFrames = () => new Promise((resolve) => setTimeout(resolve, 60));

beforeEach(() => {
  document.body.innerHTML = "";
});
afterEach(() => stop());

it("does not report a page while its image is loading", async () => {
  const { fill, onShown } = stage(() => "<img>");
  fill();
  for (const picture of pictures())
    Object.defineProperty(picture, "complete", { get: () => false });
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
});

it("reports only pages whose image is rendered while in view", async () => {
  const { fill, onShown, scrollTo } = stage(() => "<img>");
  fill();
  const [first, second, third] = pictures();
  completeLoad(second, async () => {});
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
  completeLoad(first, async () => {});
  await waitForFrames();
  expect(onShown.mock.calls).toEqual([[1]]);
  scrollTo(3);
  await waitForFrames();
  expect(onShown.mock.calls).toEqual([[1]]);
  completeLoad(third, async () => {});
  await waitForFrames();
  expect(onShown.mock.calls).toEqual([[1], [3]]);
});

it("does not report an image that cannot be decoded or has left the view", async () => {
  const { fill, onShown, scrollTo } = stage(() => "<img>");
  fill();
  const [first, second] = pictures();
  completeLoad(first, () => Promise.reject(new DOMException("", "EncodingError")));
  await waitForFrames();
  let decoded = () => {};
  scrollTo(2);
  completeLoad(second, () => new Promise((resolve) => (decoded = resolve)));
  await waitForFrames();
  scrollTo(1);
  decoded();
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
});

it("reports a page when its text is rendered", async () => {
  const { fill, onShown } = stage((page) => `<p>Words of page ${page}</p>`);
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
  fill();
  await waitForFrames();
  expect(onShown).toHaveBeenCalledWith(1);
});

it("reports nothing while no frame is rendered, and nothing after the end", async () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  const { fill, onShown } = stage(() => "<p>Words</p>");
  fill();
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
  stop();
  for (const frame of frames) frame(0);
  await waitForFrames();
  expect(onShown).not.toHaveBeenCalled();
});
