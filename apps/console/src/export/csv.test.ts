import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { csvLine } from "./csv";

it("quotes text that would be two cells or two lines", () => {
  expect(csvLine(["r-1", 'Ottilie "Ott" Fernwick', "a,b", "two\nlines"])).toBe(
    'r-1,"Ottilie ""Ott"" Fernwick","a,b","two\nlines"\r\n',
  );
});

it.each(["=1+1", "+49", "-2", "@SUM(A1)", "\tx", '=HYPERLINK("x")'])(
  "does not treat %j as a formula",
  (text) => {
    const line = csvLine([text]);
    expect(line.replace(/^"/, "")).toMatch(/^'/);
    expect(line).toContain(text.replaceAll('"', '""'));
  },
);

interface Vector {
  readonly cell: string;
  readonly written: string;
}

/** The server's exports are tested with the same file. */
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL("../../../../testdata/csv-cells.json", import.meta.url), "utf8"),
);

it.each(vectors)("writes $cell like the server", ({ cell, written }) => {
  expect(csvLine([cell, "next"])).toBe(`${written},next\r\n`);
});
