export { DocumentViewer } from "./document-viewer";
export type { DocumentViewerProps, ViewerDocument } from "./props";
