import type { Page } from "@playwright/test";

const MIN_TARGET_PX = 44;

/** Returns tap targets that are smaller than a fingertip. Links inside a sentence are exempt. */
export const smallTargets = (page: Page) =>
  page.evaluate((min) => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const targets = open.querySelectorAll<HTMLElement>("button, select, nav a, a.mu-button, label");
    return [...targets].flatMap((it) => {
      const { width, height } = it.getBoundingClientRect();
      const hidden = width <= 1 || !it.checkVisibility({ visibilityProperty: true });
      // The label of a row covers the row with its pseudo-element; that of an agreement with its
      // padding.
      const row = it.closest("li")?.getBoundingClientRect().height ?? 0;
      if (hidden || (it.matches("label") && row >= min)) return [];
      // A label is at least as tall a target as the control inside it.
      if (it.matches("select") && it.closest("label")) return [];
      // The label of a text field is above the field. People tap the field.
      const field = it instanceof HTMLLabelElement ? it.control : null;
      if (field?.matches("input:not([type=checkbox], [type=radio])")) {
        return field.getBoundingClientRect().height < min ? [field.outerHTML.slice(0, 90)] : [];
      }
      return height < min || width < min ? [`${it.outerHTML.slice(0, 90)} ${width}×${height}`] : [];
    });
  }, MIN_TARGET_PX);
