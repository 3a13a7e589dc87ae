// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listenGestures } from "./gestures";

let scroller: HTMLElement;
let content: HTMLElement;
let zoom = 1;
const zoomTo = vi.fn();
let end: () => void;

beforeEach(() => {
  zoom = 1;
  zoomTo.mockReset();
  scroller = document.body.appendChild(document.createElement("section"));
  content = scroller.appendChild(document.createElement("div"));
  const page = content.appendChild(document.createElement("div"));
  page.dataset.page = "1";
  page.getBoundingClientRect = () => new DOMRect(0, 0, 400, 800);
  end = listenGestures(scroller, () => zoom, zoomTo);
});

afterEach(() => {
  end();
  scroller.remove();
});

type Point = readonly [x: number, y: number];

function touch(name: string, points: readonly Point[], lifted: readonly Point[] = []) {
  const touches = (all: readonly Point[]) =>
    all.map(([clientX, clientY]) => ({ clientX, clientY }));
  const event = Object.assign(new Event(name, { cancelable: true }), {
    touches: touches(points),
    changedTouches: touches(lifted),
  });
  scroller.dispatchEvent(event);
  return event;
}

function tap(x: number, y: number) {
  touch("touchstart", [[x, y]]);
  return touch("touchend", [], [[x, y]]);
}

it("transforms the content during a pinch and zooms once at its end", () => {
  touch("touchstart", [[150, 100]]);
  expect(
    touch("touchstart", [
      [150, 100],
      [250, 100],
    ]).defaultPrevented,
  ).toBe(true);
  expect(
    touch("touchmove", [
      [100, 110],
      [300, 110],
    ]).defaultPrevented,
  ).toBe(true);
  expect(content.style.transform).toBe("translate(0px,10px) scale(2)");
  expect(zoomTo).not.toHaveBeenCalled();
  touch("touchend", [[100, 110]], [[300, 110]]);
  expect(content.style.transform).toBe("");
  expect(zoomTo).toHaveBeenCalledTimes(1);
  expect(zoomTo).toHaveBeenCalledWith(2, expect.objectContaining({ across: 0.5, x: 200, y: 110 }));
  touch("touchend", [], [[100, 110]]);
  expect(zoomTo).toHaveBeenCalledTimes(1);
});

it("limits the zoom to 4", () => {
  touch("touchstart", [
    [199, 0],
    [201, 0],
  ]);
  touch("touchmove", [
    [0, 0],
    [400, 0],
  ]);
  touch("touchcancel", []);
  expect(zoomTo.mock.calls[0]?.[0]).toBe(4);
});

it("does not handle a single finger", () => {
  expect(touch("touchstart", [[10, 10]]).defaultPrevented).toBe(false);
  expect(touch("touchmove", [[10, 90]]).defaultPrevented).toBe(false);
});

it("zooms in on a double tap and out on the next one", () => {
  expect(tap(100, 100).defaultPrevented).toBe(false);
  expect(tap(104, 98).defaultPrevented).toBe(true);
  expect(zoomTo).toHaveBeenLastCalledWith(2, expect.objectContaining({ x: 104, y: 98 }));
  zoom = 2;
  tap(100, 100);
  tap(100, 100);
  expect(zoomTo).toHaveBeenLastCalledWith(1, expect.anything());
  expect(zoomTo).toHaveBeenCalledTimes(2);
});

it("does not treat two distant taps or two flicks as a double tap", () => {
  tap(100, 100);
  tap(300, 100);
  touch("touchmove", [[300, 90]]);
  touch("touchend", [], [[300, 100]]);
  expect(zoomTo).not.toHaveBeenCalled();
});

it("zooms by the wheel only with ctrl", () => {
  const scrollWheel = (ctrlKey: boolean) => {
    // The WheelEvent of happy-dom loses the key.
    const wheel = new Event("wheel", { cancelable: true });
    const event = Object.assign(wheel, { deltaY: -100, clientX: 0, clientY: 0, ctrlKey });
    scroller.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(scrollWheel(false)).toBe(false);
  expect(zoomTo).not.toHaveBeenCalled();
  expect(scrollWheel(true)).toBe(true);
  expect(zoomTo.mock.calls[0]?.[0]).toBeCloseTo(Math.exp(0.5));
});

it("does not handle taps on a button or a label", () => {
  const label = content.appendChild(document.createElement("label"));
  const icon = label.appendChild(document.createElement("i"));
  const tapped = () => {
    const touches = { touches: [], changedTouches: [{ clientX: 1, clientY: 1 }] };
    const init = { bubbles: true, cancelable: true };
    const event = Object.assign(new Event("touchend", init), touches);
    icon.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([tapped(), tapped()]).toEqual([false, false]);
  // Such a tap is also not the first half of a double tap next to it.
  tap(1, 1);
  expect(zoomTo).not.toHaveBeenCalled();
});

it("zooms by keys with any focus inside the dialog, except in an input", () => {
  end();
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.append(scroller);
  const [button, input] = ["button", "input"].map((tag) =>
    dialog.appendChild(document.createElement(tag)),
  );
  end = listenGestures(scroller, () => zoom, zoomTo);
  const press = (on: Element | undefined, key: string, more: KeyboardEventInit = {}) =>
    on?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key, ...more }));
  press(button, "+");
  expect(zoomTo).toHaveBeenLastCalledWith(
    1.5,
    expect.objectContaining({ element: content.firstChild }),
  );
  zoom = 3;
  press(scroller, "-");
  expect(zoomTo).toHaveBeenLastCalledWith(2, expect.anything());
  press(dialog, "0");
  expect(zoomTo).toHaveBeenLastCalledWith(1, expect.anything());
  press(input, "+");
  press(button, "+", { ctrlKey: true });
  press(button, "a");
  expect(zoomTo).toHaveBeenCalledTimes(3);
  dialog.remove();
});

it("removes its listeners at the end", () => {
  end();
  tap(1, 1);
  tap(1, 1);
  expect(zoomTo).not.toHaveBeenCalled();
});
