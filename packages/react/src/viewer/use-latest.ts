import { type RefObject, useLayoutEffect, useRef } from "react";

/** For a listener that is attached once and must still see what the last render was given. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
