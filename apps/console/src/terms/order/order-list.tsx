import { type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { Icon } from "../../shell/icon";
import { useTermsTexts } from "../texts/texts";
import { moved } from "./moved";
import type { OrderedTerm } from "./order-calls";

interface OrderListProps {
  readonly items: readonly OrderedTerm[];
  readonly onOrder: (ids: readonly number[]) => void;
}

/** To be dragged by the handle, or moved by the buttons, which the keyboard reaches too. */
export function OrderList({ items, onOrder }: OrderListProps) {
  const words = useTermsTexts();
  const { tag } = useLanguage().language;
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [said, say] = useState("");
  // A button loses the focus when its line is moved on the page.
  const pressed = useRef<HTMLElement>(undefined);
  useLayoutEffect(() => {
    pressed.current?.focus();
    pressed.current = undefined;
  });

  function move(id: number, to: number): void {
    const from = items.findIndex((item) => item.id === id);
    const after = moved(items, from, to);
    if (after === items || from === to) return;
    onOrder(after.map((item) => item.id));
    say(words.order.moved(items[from]?.title ?? "", (to + 1).toLocaleString(tag)));
  }
  const drag = (event: PointerEvent) => {
    if (dragged === undefined) return;
    const lines = [...(list.current?.children ?? [])].map((line) => line.getBoundingClientRect());
    const over = lines.findIndex(({ bottom }) => event.clientY < bottom);
    move(dragged, over < 0 ? lines.length - 1 : over);
  };
  const step = (id: number, to: number, button: HTMLElement) => {
    pressed.current = button;
    move(id, to);
  };

  return (
    <>
      <ol ref={list} className="order-list">
        {items.map(({ id, title, status, mandatory }, index) => (
          <li key={id} data-dragged={id === dragged || undefined}>
            <span
              className="order-grip"
              title={words.order.drag}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(id);
              }}
              onPointerMove={drag}
              onLostPointerCapture={() => setDragged(undefined)}
            >
              <Icon name="grip" />
            </span>
            <span className="order-title">
              <bdi>{title}</bdi>
              <span className="note">
                {[mandatory ? words.mandatory : words.optional, words.status[status]].join(" · ")}
              </span>
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={words.order.up(title)}
              aria-disabled={index === 0}
              onClick={(event) => step(id, index - 1, event.currentTarget)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={words.order.down(title)}
              aria-disabled={index === items.length - 1}
              onClick={(event) => step(id, index + 1, event.currentTarget)}
            >
              <Icon name="down" />
            </button>
          </li>
        ))}
      </ol>
      <p role="status" className="mu-hidden">
        {said}
      </p>
    </>
  );
}
