import type { Page } from "@playwright/test";

const MIN_TARGET_PX = 44;

/** Returns tap targets that are smaller than a fingertip. Links inside a sentence are exempt. */
export const smallTargets = (page: Page) =>
  page.evaluate((min) => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const targets = open.querySelectorAll<HTMLElement>("button, select, nav a, a.mu-button, label");
    return [...targets].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const hidden = width <= 1 || !target.checkVisibility({ visibilityProperty: true });
      // The label of a row covers the row with its pseudo-element; that of an agreement with its
      // padding.
      const row = target.closest("li")?.getBoundingClientRect().height ?? 0;
      if (hidden || (target.matches("label") && row >= min)) return [];
      // A label is at least as tall a target as the control inside it.
      if (target.matches("select") && target.closest("label")) return [];
      // The label of a text field is above the field. People tap the field.
      const field = target instanceof HTMLLabelElement ? target.control : null;
      if (field?.matches("input:not([type=checkbox], [type=radio])")) {
        return field.getBoundingClientRect().height < min ? [field.outerHTML.slice(0, 90)] : [];
      }
      return height < min || width < min
        ? [`${target.outerHTML.slice(0, 90)} ${width}×${height}`]
        : [];
    });
  }, MIN_TARGET_PX);
