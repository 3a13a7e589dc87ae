import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { Icon } from "../../ui/icon";
import iconButtonStyles from "../../ui/icon-button.module.css";
import { useTermsTexts } from "../texts/texts";
import { moved } from "./moved";
import styles from "./order.module.css";
import type { OrderedTerm } from "./order-calls";

interface OrderListProps {
  readonly items: readonly OrderedTerm[];
  readonly onOrder: (ids: readonly number[]) => void;
}

/** A list to sort by dragging the handle, or with the buttons, which also work with the keyboard. */
export function OrderList({ items, onOrder }: OrderListProps) {
  const texts = useTermsTexts();
  const { tag } = useLanguage().language;
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [announcement, announce] = useState("");
  // A button loses the focus when its line is moved in the document.
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
    announce(texts.order.moved(items[from]?.title ?? "", (to + 1).toLocaleString(tag)));
  }
  const drag = (id: number, y: number) => {
    const lines = [...(list.current?.children ?? [])].map((line) => line.getBoundingClientRect());
    const over = lines.findIndex(({ bottom }) => y < bottom);
    move(id, over < 0 ? lines.length - 1 : over);
  };
  // Listens on the window: a line that moves in the document would lose the pointer capture.
  useWindowDrag(dragged, drag, () => setDragged(undefined));
  const step = (id: number, to: number, button: HTMLElement) => {
    pressed.current = button;
    move(id, to);
  };

  return (
    <>
      <ol ref={list} className={styles.orderList}>
        {items.map((item, index) => (
          <OrderLine
            key={item.id}
            item={item}
            isFirst={index === 0}
            isLast={index === items.length - 1}
            isDragged={item.id === dragged}
            onDrag={() => setDragged(item.id)}
            onStep={(by, button) => step(item.id, index + by, button)}
          />
        ))}
      </ol>
      <p role="status" className="mu-hidden">
        {announcement}
      </p>
    </>
  );
}

interface OrderLineProps {
  readonly item: OrderedTerm;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isDragged: boolean;
  readonly onDrag: () => void;
  readonly onStep: (by: 1 | -1, button: HTMLElement) => void;
}

function OrderLine({ item, isFirst, isLast, isDragged, onDrag, onStep }: OrderLineProps) {
  const texts = useTermsTexts();
  const { title, mandatory, status } = item;
  return (
    <li data-dragged={isDragged || undefined}>
      <span
        className={styles.orderGrip}
        title={texts.order.drag}
        onPointerDown={(event) => {
          // Otherwise dragging selects the text under the pointer.
          event.preventDefault();
          onDrag();
        }}
      >
        <Icon name="grip" />
      </span>
      <span className={styles.orderTitle}>
        <bdi>{title}</bdi>
        <span className="note">
          {[mandatory ? texts.mandatory : texts.optional, texts.status[status]].join(" · ")}
        </span>
      </span>
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={texts.order.up(title)}
        aria-disabled={isFirst}
        onClick={(event) => onStep(-1, event.currentTarget)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={texts.order.down(title)}
        aria-disabled={isLast}
        onClick={(event) => onStep(1, event.currentTarget)}
      >
        <Icon name="down" />
      </button>
    </li>
  );
}

function useWindowDrag(
  dragged: number | undefined,
  drag: (id: number, y: number) => void,
  end: () => void,
): void {
  const onMove = useEffectEvent(
    (event: PointerEvent) => dragged !== undefined && drag(dragged, event.clientY),
  );
  const onEnd = useEffectEvent(end);
  const isDragging = dragged !== undefined;
  useEffect(() => {
    if (!isDragging) return;
    const move = (event: PointerEvent) => onMove(event);
    const stop = () => onEnd();
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
    };
  }, [isDragging]);
}
