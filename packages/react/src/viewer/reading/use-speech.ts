import { type RefObject, useEffect, useRef, useState } from "react";

/** The maximum length of a portion. Some voices stop in the middle of a longer text. */
const CHARS_MAX = 220;

/** Splits a text into portions: sentences, and parts of long sentences. */
export function splitForSpeech(text: string): string[] {
  const parts: string[] = [];
  for (const sentence of text.match(/[^.!?؟۔।]+[.!?؟۔।]*\s*/g) ?? [text]) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + sentence.length <= CHARS_MAX)
      parts[parts.length - 1] = last + sentence;
    else parts.push(...(sentence.match(/.{1,220}(?=\s|$)|.{1,220}/gs) ?? []));
  }
  return parts.filter((part) => part.trim());
}

/** Returns the text that a voice reads for a block, with a pause after each cell and each item. */
export function spokenText(block: HTMLElement): string {
  const picture = block.querySelector("img");
  const note = block.querySelector(".mu-viewer-note");
  if (note || picture) return note?.textContent ?? picture?.alt ?? "";
  const parts: string[] = [];
  const nodes = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) parts.push((nodes.currentNode as Text).data);
  return parts.join("\n");
}

export type Speech = "silent" | "speaking" | "no-voice";

/** Reads the document aloud from the visible position, with a voice of the device. */
export function useSpeech(root: RefObject<HTMLElement | null>, lang: string | undefined) {
  const [state, setState] = useState<Speech>("silent");
  const currentRun = useRef(0);
  const currentUtterance = useRef<SpeechSynthesisUtterance>(undefined);
  const voice = globalThis.speechSynthesis as SpeechSynthesis | undefined;

  const mark = (block?: HTMLElement) => {
    for (const other of root.current?.querySelectorAll("[data-spoken]") ?? [])
      other.removeAttribute("data-spoken");
    block?.setAttribute("data-spoken", "");
    block?.scrollIntoView({ block: "nearest" });
  };
  const stop = (end: Speech = "silent") => {
    currentRun.current++;
    voice?.cancel();
    mark();
    setState(end);
  };
  const speak = () => {
    if (!voice || !root.current) return;
    stop("speaking");
    const run = currentRun.current;
    // A block inside another block is read together with it.
    const blocks = [...root.current.querySelectorAll<HTMLElement>("[data-block]")].filter(
      (block) => !block.parentElement?.closest("[data-block]"),
    );
    const tools = root.current.querySelector(".mu-viewer-tools");
    const top = tools?.getBoundingClientRect().bottom ?? 0;
    // Starts at the first block of which about a line is visible below the tools.
    let at = Math.max(
      0,
      blocks.findIndex((block) => block.getBoundingClientRect().bottom > top + 20),
    );
    let rest: string[] = [];
    let hasSpoken = false;
    const next = (): void => {
      if (run !== currentRun.current) return;
      while (!rest.length) {
        const block = blocks[at++];
        if (!block) {
          stop();
          return;
        }
        rest = splitForSpeech(spokenText(block));
        if (rest.length) mark(block);
      }
      const utterance = new SpeechSynthesisUtterance(rest.shift());
      if (lang) utterance.lang = lang;
      // Stored in a ref, because Chromium drops an unreferenced utterance together with its events.
      currentUtterance.current = utterance;
      utterance.onend = () => {
        hasSpoken = true;
        next();
      };
      utterance.onerror = () =>
        run === currentRun.current && stop(hasSpoken ? "silent" : "no-voice");
      voice.speak(utterance);
    };
    next();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once on unmount
  useEffect(() => () => stop(), []);
  return voice && { state, speak, stop: () => stop() };
}
