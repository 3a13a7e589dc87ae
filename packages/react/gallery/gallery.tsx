import "@musette/react/style.css";
import "./gallery.css";
import { applyToDocument, english, languages } from "@musette/react/language";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { serve } from "./fixtures";
import { Overview } from "./overview";
import { groups } from "./stories";
import type { Story } from "./story";

const parameters = new URLSearchParams(location.search);
const { documentElement } = document;
documentElement.style.colorScheme = parameters.get("scheme") ?? "light dark";
documentElement.style.fontSize = parameters.get("text") ?? "";

const root = createRoot(document.getElementById("gallery") as HTMLElement);

/** Shows a story. Sets `data-ready` after its state is reached and the fonts have loaded, for tests. */
async function show(story: Story): Promise<void> {
  const language = languages.find(({ tag }) => tag === parameters.get("locale")) ?? english;
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

/** Sends the height of the content to the overview, which adjusts the height of the frame. */
function postHeights(): void {
  const postHeight = () => parent.postMessage(document.body.scrollHeight, location.origin);
  new ResizeObserver(postHeight).observe(document.body);
}

const story = groups
  .flatMap(({ stories }) => stories)
  .find(({ name }) => name === parameters.get("story"));
if (story) {
  postHeights();
  await show(story);
} else root.render(<Overview groups={groups} />);
