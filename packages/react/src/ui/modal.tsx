import { MODAL_CLOSE_MS } from "../theme";
import { type DialogProps, DialogSurface } from "./dialog";

export type ModalProps = DialogProps;

export function Modal(props: ModalProps) {
  return <DialogSurface {...props} className="mu-modal" leaveAfterMs={MODAL_CLOSE_MS} />;
}
