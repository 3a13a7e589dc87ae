/** Returns the text for the first of these errors that is present. */
export const firstFaultText =
  <Words extends Readonly<Record<string, string>>>(faults: readonly string[], words: Words) =>
  (...of: readonly (keyof Words & string)[]): string | undefined => {
    const isOf = (fault: string): fault is keyof Words & string => of.some((it) => it === fault);
    const first = faults.find(isOf);
    return first && words[first];
  };
