/** Returns the text for the first of these errors that is present. */
export const firstErrorText =
  <Texts extends Readonly<Record<string, string>>>(errors: readonly string[], texts: Texts) =>
  (...of: readonly (keyof Texts & string)[]): string | undefined => {
    const isOf = (error: string): error is keyof Texts & string =>
      of.some((wanted) => wanted === error);
    const first = errors.find(isOf);
    return first && texts[first];
  };
