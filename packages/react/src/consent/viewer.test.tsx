// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { click, settle, until } from "../testing/mount";
import type { DocumentViewerProps } from "../viewer/props";
import { stage } from "./consent-stage";

const viewer = vi.hoisted(() => ({ shown: undefined as DocumentViewerProps | undefined }));

vi.mock("../viewer/document-viewer", () => ({
  DocumentViewer: (props: DocumentViewerProps) => {
    viewer.shown = props;
    return <div id="viewer" />;
  },
}));

beforeEach(() => {
  sessionStorage.clear();
  viewer.shown = undefined;
});

it("opens one document from its row and all documents from the first row", async () => {
  const { page, button } = await stage();
  expect(page.querySelector("#viewer")).toBeNull();
  await click(button("Open Term 2"));
  await until(() => page.querySelector("#viewer") !== null);
  expect(viewer.shown?.documents.map(({ id }) => id)).toEqual([2]);
  await act(async () => viewer.shown?.onClose());
  expect(page.querySelector("#viewer")).toBeNull();
  await click(button("Open all documents"));
  await until(() => page.querySelector("#viewer") !== null);
  expect(viewer.shown?.documents.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(viewer.shown?.index).toBe(0);
});

it("submits the last page that was shown as evidence, and nothing for a document that was only opened", async () => {
  const { page, box, accept, button, submitConsents } = await stage();
  await click(button("Open all documents"));
  await until(() => page.querySelector("#viewer") !== null);
  await act(async () => viewer.shown?.onPage?.(1, 4));
  await act(async () => viewer.shown?.onPage?.(1, 2));
  await act(async () => viewer.shown?.onIndexChange(1));
  await act(async () => viewer.shown?.onClose());
  await click(box("all"));
  await click(accept());
  await settle();
  const entries = submitConsents.mock.calls[0]?.[0].consents ?? [];
  expect(entries.map(({ opened, last_page }) => [opened, last_page])).toEqual([
    [true, 4],
    [false, undefined],
    [false, undefined],
  ]);
  expect(entries[0]?.method).toBe("agree_all");
});
