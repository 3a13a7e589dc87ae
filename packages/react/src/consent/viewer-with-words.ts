// One chunk with all the code that is needed to open a document.
export { complete } from "../texts/complete";
export { DocumentViewer } from "../viewer/document-viewer";
