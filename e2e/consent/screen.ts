import type { Locator, Page } from "@playwright/test";

/** The consent screen, with names for its parts. */
export function consentScreen(page: Page) {
  const screen = page.locator(".mu-consent");
  const all = screen.getByRole("checkbox", { name: "Agree to all" });
  const box = (title: string) => screen.getByRole("checkbox", { name: title });
  const boxes = screen.getByRole("checkbox");
  return {
    screen,
    all,
    box,
    boxes,
    accept: screen.getByRole("button", { name: "Agree and continue" }),
    again: screen.getByRole("button", { name: /^Try (again|now)$/ }),
    alert: screen.getByRole("alert"),
    left: screen.locator("footer").getByRole("status"),
    open: (title: string) => screen.getByRole("button", { name: `Open ${title}` }),
    ticks: () => ticksOf(boxes),
  };
}

async function ticksOf(boxes: Locator): Promise<(boolean | "mixed")[]> {
  return boxes.evaluateAll((found) =>
    found.map((box) => {
      const input = box as HTMLInputElement;
      return input.indeterminate ? "mixed" : input.checked;
    }),
  );
}

export const AGREEMENT = "Freelancer agreement";
export const HANDBOOK = "Rider handbook and safety rules";
export const SCAN = "Equipment certificate";
export const MARKETING = "Marketing messages";
