// One fetch for what is needed when a document is opened.
export { complete } from "../texts/complete";
export { DocumentViewer } from "../viewer/document-viewer";
