import type { Page } from "@playwright/test";

export { withExperiments } from "./experiments-data";

import type { Screen } from "./screen";

const link = (name: string) => (page: Page) => page.getByRole("link", { name }).first().waitFor();
const table = (count: number) => (page: Page) =>
  page
    .getByRole("table")
    .nth(count - 1)
    .waitFor();

/** Screens for the tests that visit every screen. They need `withExperiments`. */
export const experimentScreens: readonly Screen[] = [
  { name: "experiments", path: "experiments", ready: link("tip-test") },
  { name: "experiment", path: "experiments/tip-test?measure=proportion", ready: table(2) },
  { name: "experiment that cannot be read", path: "experiments/map-test", ready: table(2) },
  {
    name: "experiment set up",
    path: "experiments/new?flag=chat",
    ready: (page) => page.getByRole("spinbutton").nth(2).waitFor(),
  },
  {
    name: "experiment edited",
    path: "experiments/tip-test/edit",
    ready: (page) => page.getByRole("spinbutton").nth(2).waitFor(),
  },
  {
    name: "unknown experiment",
    path: "experiments/nothing-here",
    ready: (page) => page.locator("main .mu-button").waitFor(),
  },
  { name: "holdouts", path: "holdouts", ready: link("2026-q4") },
  { name: "holdout", path: "holdouts/2026-q4?metric=orders", ready: table(2) },
  {
    name: "holdout edited",
    path: "holdouts/2026-q4/edit",
    ready: (page) => page.getByRole("spinbutton").nth(1).waitFor(),
  },
];
