/** Returns the text for the first of these errors that is present. */
export const firstFaultText =
  <Texts extends Readonly<Record<string, string>>>(faults: readonly string[], texts: Texts) =>
  (...of: readonly (keyof Texts & string)[]): string | undefined => {
    const isOf = (fault: string): fault is keyof Texts & string =>
      of.some((wanted) => wanted === fault);
    const first = faults.find(isOf);
    return first && texts[first];
  };
