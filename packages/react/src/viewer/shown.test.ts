// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchShown } from "./shown";

const PAGE_PX = 1000;

let scroller: HTMLElement;
let stop = () => {};

/** Three pages of one screen each; `at` is how far it is scrolled. */
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

/** As a browser does it: `complete` as soon as all bytes are there, also of one that is broken. */
function comes(picture: HTMLImageElement | undefined, decode: () => Promise<void>) {
  if (!picture) throw new Error("There is no such picture");
  Object.defineProperty(picture, "complete", { value: true });
  Object.defineProperty(picture, "naturalWidth", { value: 780 });
  picture.decode = decode;
  picture.dispatchEvent(new Event("load"));
}

const later = () => new Promise((resolve) => setTimeout(resolve, 60));

beforeEach(() => {
  document.body.innerHTML = "";
});
afterEach(() => stop());

it("a page is shown when its picture is drawn, not when it is on its way", async () => {
  const { fill, onShown } = stage(() => "<img>");
  fill();
  for (const picture of pictures())
    Object.defineProperty(picture, "complete", { get: () => false });
  await later();
  expect(onShown).not.toHaveBeenCalled();
});

it("says each page that is drawn while it is in view, and only those", async () => {
  const { fill, onShown, scrollTo } = stage(() => "<img>");
  fill();
  const [first, second, third] = pictures();
  comes(second, async () => {});
  await later();
  expect(onShown).not.toHaveBeenCalled();
  comes(first, async () => {});
  await later();
  expect(onShown.mock.calls).toEqual([[1]]);
  scrollTo(3);
  await later();
  expect(onShown.mock.calls).toEqual([[1]]);
  comes(third, async () => {});
  await later();
  expect(onShown.mock.calls).toEqual([[1], [3]]);
});

it("a picture that cannot be decoded is not shown, nor one that was scrolled away", async () => {
  const { fill, onShown, scrollTo } = stage(() => "<img>");
  fill();
  const [first, second] = pictures();
  comes(first, () => Promise.reject(new DOMException("", "EncodingError")));
  await later();
  let decoded = () => {};
  scrollTo(2);
  comes(second, () => new Promise((resolve) => (decoded = resolve)));
  await later();
  scrollTo(1);
  decoded();
  await later();
  expect(onShown).not.toHaveBeenCalled();
});

it("text is shown as soon as it is there", async () => {
  const { fill, onShown } = stage((page) => `<p>Words of page ${page}</p>`);
  await later();
  expect(onShown).not.toHaveBeenCalled();
  fill();
  await later();
  expect(onShown).toHaveBeenCalledWith(1);
});

it("nothing counts while no frame is drawn, and nothing after the viewer is closed", async () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  const { fill, onShown } = stage(() => "<p>Words</p>");
  fill();
  await later();
  expect(onShown).not.toHaveBeenCalled();
  stop();
  for (const frame of frames) frame(0);
  await later();
  expect(onShown).not.toHaveBeenCalled();
});
