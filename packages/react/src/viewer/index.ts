export { DocumentViewer, type DocumentViewerProps, type ViewerDocument } from "./document-viewer";
