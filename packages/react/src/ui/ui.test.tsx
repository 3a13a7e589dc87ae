// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { click, mount, passTime } from "../testing/mount";
import { evaluationStatuses, questStatuses, type Status, shiftStates } from "../theme";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { Drawer } from "./drawer";
import { keepTabInside } from "./focus-trap";
import { Modal } from "./modal";
import { StatusBadge } from "./status-badge";

describe("Button", () => {
  it("is disabled while loading and keeps its name", async () => {
    const onClick = vi.fn();
    const { page, show } = await mount(<Button onClick={onClick}>Send</Button>);
    await click(page.querySelector("button"));
    await show(
      <Button loading onClick={onClick}>
        Send
      </Button>,
    );
    const button = page.querySelector("button");
    await click(button);
    expect(onClick).toHaveBeenCalledOnce();
    expect(button?.disabled).toBe(true);
    expect(button?.getAttribute("aria-busy")).toBe("true");
    expect(button?.textContent).toBe("Send");
  });

  it("has the type button, so that it does not submit a form", async () => {
    const { page } = await mount(<Button>Send</Button>);
    expect(page.querySelector("button")?.type).toBe("button");
  });
});

describe("Checkbox", () => {
  it.each([
    [true, true, false, null],
    [false, false, false, null],
    ["mixed", false, true, "mixed"],
  ] as const)("%s", async (checked, native, indeterminate, aria) => {
    const { page } = await mount(<Checkbox checked={checked} onToggle={() => {}} />);
    const input = page.querySelector("input");
    expect(input?.checked).toBe(native);
    expect(input?.indeterminate).toBe(indeterminate);
    expect(input?.getAttribute("aria-checked")).toBe(aria);
  });

  it("changes its state only through the owner", async () => {
    const onToggle = vi.fn();
    const { page } = await mount(<Checkbox checked={false} onToggle={onToggle} />);
    await click(page.querySelector("input"));
    expect(onToggle).toHaveBeenCalledOnce();
    expect(page.querySelector("input")?.checked).toBe(false);
  });
});

describe.each([
  ["Drawer", Drawer, 600],
  ["Modal", Modal, 250],
] as const)("%s", (_, Surface, removedAfterMs) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const surface = (open: boolean, onClose = () => {}) => (
    <Surface open={open} onClose={onClose} label="More">
      <p>Inside</p>
    </Surface>
  );

  it(`is removed ${removedAfterMs} ms after it is closed`, async () => {
    const { page, show } = await mount(surface(true));
    const dialog = page.querySelector("dialog");
    expect(dialog?.open).toBe(true);
    await passTime(50);
    expect(dialog?.dataset.state).toBe("open");

    await show(surface(false));
    expect(dialog?.dataset.state).toBe("closing");
    await passTime(removedAfterMs - 1);
    expect(page.querySelector("dialog")).not.toBeNull();
    await passTime(1);
    expect(page.querySelector("dialog")).toBeNull();
  });

  it("stays if it is opened again during the closing animation", async () => {
    const { page, show } = await mount(surface(true));
    await show(surface(false));
    await passTime(removedAfterMs - 1);
    await show(surface(true));
    await passTime(removedAfterMs * 2);
    expect(page.querySelector("dialog")?.dataset.state).toBe("open");
  });

  it("calls onClose on Escape and on a click on the overlay, but not inside", async () => {
    const onClose = vi.fn();
    const { page } = await mount(surface(true, onClose));
    await click(page.querySelector("p"));
    expect(onClose).not.toHaveBeenCalled();
    await click(page.querySelector("dialog"));
    expect(onClose).toHaveBeenCalledTimes(1);
    const cancel = new Event("cancel", { cancelable: true });
    page.querySelector("dialog")?.dispatchEvent(cancel);
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(cancel.defaultPrevented).toBe(true);
  });

  it("is not rendered while closed", async () => {
    const { page } = await mount(surface(false));
    expect(page.querySelector("dialog")).toBeNull();
  });
});

it("Drawer has a default width of 300", async () => {
  const drawer = (width?: number) => (
    <Drawer open onClose={() => {}} label="More" {...(width && { width })}>
      x
    </Drawer>
  );
  const { page, show } = await mount(drawer());
  const widthOf = () => page.querySelector("dialog")?.style.getPropertyValue("--mu-drawer-width");
  expect(widthOf()).toBe("300px");
  await show(drawer(420));
  expect(widthOf()).toBe("420px");
});

it("Tab wraps around at both ends", async () => {
  const { page } = await mount(
    <>
      <button type="button">first</button>
      <button type="button" disabled>
        never
      </button>
      <button type="button">last</button>
    </>,
  );
  const [first, , last] = page.querySelectorAll("button");
  const tab = (shiftKey: boolean) =>
    keepTabInside({ key: "Tab", shiftKey, currentTarget: page, preventDefault: () => {} });
  last?.focus();
  tab(false);
  expect(document.activeElement).toBe(first);
  tab(true);
  expect(document.activeElement).toBe(last);
});

it("each badge has a unique shape and a text of at most 14 characters", async () => {
  const shapes = new Set<string>();
  const all: readonly Status[] = [...shiftStates, ...evaluationStatuses, ...questStatuses];
  for (const status of all) {
    const { page } = await mount(<StatusBadge status={status} />);
    const word = page.textContent ?? "";
    expect(word).toMatch(/^\S.{3,13}$/);
    shapes.add(page.querySelector("svg")?.innerHTML ?? "");
  }
  expect(shapes.size).toBe(15);
});
