export { Button, type ButtonKind, type ButtonProps } from "./button";
export { Checkbox, type CheckboxProps } from "./checkbox";
export type { DialogProps } from "./dialog";
export { Drawer, type DrawerProps } from "./drawer";
export { keepTabInside } from "./focus-trap";
export { Modal, type ModalProps } from "./modal";
export { Spinner } from "./spinner";
export { StatusBadge, type StatusBadgeProps } from "./status-badge";
