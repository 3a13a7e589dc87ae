import "@musette/react/style.css";
import "./gallery.css";
import { applyToDocument, english, languages } from "@musette/react/language";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { serve } from "./fixtures";
import { Overview } from "./overview";
import { groups } from "./stories";
import type { Story } from "./story";

const asked = new URLSearchParams(location.search);
const { documentElement } = document;
documentElement.style.colorScheme = asked.get("scheme") ?? "light dark";
documentElement.style.fontSize = asked.get("text") ?? "";

const root = createRoot(document.getElementById("gallery") as HTMLElement);

/** Marks the page once the state is there and the fonts have come: a test waits for it. */
async function show(story: Story): Promise<void> {
  const language = languages.find(({ tag }) => tag === asked.get("locale")) ?? english;
  const scene = { locale: language.tag };
  applyToDocument(language);
  document.title = story.title;
  documentElement.dataset.story = story.name;
  documentElement.style.setProperty("--gallery-height", `${story.height ?? 0}px`);
  serve(scene.locale);
  await story.prepare?.(scene);
  root.render(<StrictMode>{story.render(scene)}</StrictMode>);
  await story.play?.();
  await document.fonts.ready;
  documentElement.dataset.ready = "";
}

/** The overview makes the frame as tall as what is in it. */
function tellHeight(): void {
  const tell = () => parent.postMessage(document.body.scrollHeight, location.origin);
  new ResizeObserver(tell).observe(document.body);
}

const story = groups.flatMap(({ stories }) => stories).find((it) => it.name === asked.get("story"));
if (story) {
  tellHeight();
  await show(story);
} else root.render(<Overview groups={groups} />);
