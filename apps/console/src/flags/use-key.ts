import { useEffect, useEffectEvent } from "react";

/** A letter of the keyboard, pressed alone where nobody is typing and no dialog is open. */
export function useKey(key: string, onPress: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isTyping =
      target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]");
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (event.key.toLowerCase() !== key || isTyping || isOther) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    onPress(event);
  });
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
