import { useState } from "react";

/** The last value that was not undefined, so that a dialog keeps its text while it closes. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
