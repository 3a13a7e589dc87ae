import { expect, it } from "vitest";
import { documentSource, downloadAttributes } from "./source";

const HERE = "https://riders.example/terms";
const hash = "0a".repeat(32);

it("returns the manifest of a Musette document on any host and path", () => {
  expect(documentSource(`/documents/${hash}.pdf`, HERE)).toEqual({
    pdf: `https://riders.example/documents/${hash}.pdf`,
    manifest: `https://riders.example/documents/${hash}/manifest.json`,
  });
  expect(documentSource(`http://other.example/musette/documents/${hash}.pdf?x=1`, HERE)).toEqual({
    pdf: `http://other.example/musette/documents/${hash}.pdf?x=1`,
    manifest: `http://other.example/musette/documents/${hash}/manifest.json`,
  });
});

it.each([
  "https://host.example/terms.pdf",
  `https://host.example/documents/${hash.slice(1)}.pdf`,
  `https://host.example/documents/${hash}.pdf.exe`,
  `https://host.example/documents/${hash.toUpperCase()}.pdf`,
])("returns no manifest for %s", (content) => {
  expect(documentSource(content, HERE)).toEqual({ pdf: content });
});

it.each([
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "data:application/pdf;base64,AAAA",
  "file:///etc/passwd",
  "blob:https://riders.example/1",
  "http://",
])("rejects %s", (content) => {
  expect(documentSource(content, HERE)).toBeUndefined();
});

it("removes direction overrides and path separators from the file name", () => {
  expect(downloadAttributes("Vertrag \u202Efdp.exe\u202C ../a\\b\u0000").download).toBe(
    "Vertrag fdp.exe ..ab.pdf",
  );
  expect(downloadAttributes("اتفاقية").download).toBe("اتفاقية.pdf");
});
