import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const operations = read("docs/operations.md");
const rules = read("deploy/monitoring/alerts.yaml");
const dashboard: Dashboard = JSON.parse(read("deploy/monitoring/dashboard.json"));

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
}

/** Returns the name and labels of each metric in the table. A cell may name several. */
function documentedMetrics(): ReadonlyMap<string, string> {
  const table = operations.split("## Metrics\n")[1]?.split("\n## ")[0] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("| `musette_"));
  return new Map(
    rows.flatMap((row) => {
      const [, names = "", , labels = ""] = row.split("|");
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => [name, labels] as const);
    }),
  );
}

/** Returns the metrics of an expression with the labels that it selects by. */
const selected = (expression: string) =>
  [...expression.matchAll(/\b(musette_\w+?)(?:_bucket|_count|_sum)?\b(?:{([^}]*)})?/g)].map(
    ([, name = "", labels = ""]) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label),
    }),
  );

const expressions = dashboard.panels.flatMap((panel) => panel.targets ?? []).map((it) => it.expr);
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);

it.each([
  ["the dashboard", expressions.join("\n")],
  ["the alert rules", rules],
])("uses in %s only metrics and labels from docs/operations.md", (_, text) => {
  const documented = documentedMetrics();
  const used = selected(text);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter(({ name }) => !documented.has(name))).toEqual([]);
  // Prometheus adds the instance and the job.
  const unknown = used.flatMap(({ name, labels }) =>
    labels
      .filter((label) => label !== "instance" && label !== "job")
      .filter((label) => !documented.get(name)?.includes(`\`${label}\``)),
  );
  expect(unknown).toEqual([]);
});

it("shows every documented metric in the dashboard", () => {
  const shown = new Set(selected(expressions.join("\n")).map(({ name }) => name));
  expect([...documentedMetrics().keys()].filter((name) => !shown.has(name))).toEqual([]);
});

it("explains for each alert what it means, where to look and what to do", () => {
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    const section = operations.split(`### ${alert}\n`)[1]?.split("\n##")[0] ?? "";
    expect(section, alert).toMatch(/^\*(Page|Ticket)\.\*/);
    expect(section, alert).toContain("- **Look at**:");
    expect(section, alert).toContain("- **Do**:");
    const rule = rules.split(`- alert: ${alert}\n`)[1]?.split("- alert:")[0] ?? "";
    expect(rule).toContain(`runbook: docs/operations.md#${alert.toLowerCase()}`);
    expect(rule).toContain(`severity: ${/^\*(\w+)/.exec(section)?.[1]?.toLowerCase()}`);
  }
  const sections = [...operations.matchAll(/^### (Musette\w+)$/gm)].map(([, name]) => name);
  expect(sections.sort()).toEqual([...alerts].sort());
});

it("overlaps no panels of the dashboard", () => {
  const ids = dashboard.panels.map((panel) => panel.id);
  expect(new Set(ids).size).toBe(ids.length);
  const occupied = new Map<string, string>();
  for (const { title, gridPos } of dashboard.panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(occupied.get(`${x},${y}`), title).toBeUndefined();
        occupied.set(`${x},${y}`, title);
      }
    }
  }
});
