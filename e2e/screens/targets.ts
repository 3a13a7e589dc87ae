import type { Page } from "@playwright/test";

const MIN_TARGET_PX = 44;

/** What can be tapped and is smaller than a fingertip; links inside a sentence are exempt. */
export const small = (page: Page) =>
  page.evaluate((min) => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const targets = open.querySelectorAll<HTMLElement>("button, select, nav a, a.mu-button, label");
    return [...targets].flatMap((it) => {
      const { width, height } = it.getBoundingClientRect();
      const hidden = width <= 1 || !it.checkVisibility({ visibilityProperty: true });
      // A row's label spans the row by its pseudo-element, and an agreement's by its own padding.
      const row = it.closest("li")?.getBoundingClientRect().height ?? 0;
      if (hidden || (it.matches("label") && row >= min)) return [];
      // A label is as tall a target as the control that it holds.
      if (it.matches("select") && it.closest("label")) return [];
      // A text field's label stands over the field, which is what one taps.
      const field = it instanceof HTMLLabelElement ? it.control : null;
      if (field?.matches("input:not([type=checkbox], [type=radio])")) {
        return field.getBoundingClientRect().height < min ? [field.outerHTML.slice(0, 90)] : [];
      }
      return height < min || width < min ? [`${it.outerHTML.slice(0, 90)} ${width}×${height}`] : [];
    });
  }, MIN_TARGET_PX);
