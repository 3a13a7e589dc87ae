import { type RefObject, useEffect, useRef, useState } from "react";

/** Some voices stop in the middle of a longer text. */
const CHARS_MAX = 220;

/** Sentences, and parts of long ones. */
export function portions(text: string): string[] {
  const parts: string[] = [];
  for (const sentence of text.match(/[^.!?؟۔।]+[.!?؟۔।]*\s*/g) ?? [text]) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + sentence.length <= CHARS_MAX)
      parts[parts.length - 1] = last + sentence;
    else parts.push(...(sentence.match(/.{1,220}(?=\s|$)|.{1,220}/gs) ?? []));
  }
  return parts.filter((part) => part.trim());
}

/** What a voice says of a block: with a pause after each cell and each item. */
export function wordsOf(block: HTMLElement): string {
  const picture = block.querySelector("img");
  const note = block.querySelector(".mu-viewer-note");
  if (note || picture) return note?.textContent ?? picture?.alt ?? "";
  const words: string[] = [];
  const nodes = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) words.push((nodes.currentNode as Text).data);
  return words.join("\n");
}

export type Speech = "silent" | "speaking" | "no-voice";

/** Reads the document aloud from where it is looked at, by the device's own voice. */
export function useSpeech(root: RefObject<HTMLElement | null>, lang: string | undefined) {
  const [state, setState] = useState<Speech>("silent");
  const turn = useRef(0);
  const saying = useRef<SpeechSynthesisUtterance>(undefined);
  const voice = globalThis.speechSynthesis as SpeechSynthesis | undefined;

  const mark = (block?: HTMLElement) => {
    for (const other of root.current?.querySelectorAll("[data-spoken]") ?? [])
      other.removeAttribute("data-spoken");
    block?.setAttribute("data-spoken", "");
    block?.scrollIntoView({ block: "nearest" });
  };
  const stop = (end: Speech = "silent") => {
    turn.current++;
    voice?.cancel();
    mark();
    setState(end);
  };
  const speak = () => {
    if (!voice || !root.current) return;
    stop("speaking");
    const mine = turn.current;
    // What stands within another block is said with it.
    const blocks = [...root.current.querySelectorAll<HTMLElement>("[data-block]")].filter(
      (block) => !block.parentElement?.closest("[data-block]"),
    );
    const tools = root.current.querySelector(".mu-viewer-tools");
    const top = tools?.getBoundingClientRect().bottom ?? 0;
    // Of the first one, about a line can be seen under the tools.
    let at = Math.max(
      0,
      blocks.findIndex((block) => block.getBoundingClientRect().bottom > top + 20),
    );
    let rest: string[] = [];
    let said = false;
    const next = (): void => {
      if (mine !== turn.current) return;
      while (!rest.length) {
        const block = blocks[at++];
        if (!block) {
          stop();
          return;
        }
        rest = portions(wordsOf(block));
        if (rest.length) mark(block);
      }
      const words = new SpeechSynthesisUtterance(rest.shift());
      if (lang) words.lang = lang;
      // Kept, because Chromium forgets what nobody holds, and its events with it.
      saying.current = words;
      words.onend = () => {
        said = true;
        next();
      };
      words.onerror = () => mine === turn.current && stop(said ? "silent" : "no-voice");
      voice.speak(words);
    };
    next();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it goes away
  useEffect(() => () => stop(), []);
  return voice && { state, speak, stop: () => stop() };
}
