/** Words for the first of these faults that there is. */
export const tellFault =
  <Fault extends string>(faults: readonly Fault[], words: Readonly<Record<Fault, string>>) =>
  (...of: readonly Fault[]): string | undefined => {
    const found = faults.find((it) => of.includes(it));
    return found && words[found];
  };
