export {
  DocumentChanges,
  type DocumentChangesLayout,
  type DocumentChangesProps,
} from "./document-changes";
