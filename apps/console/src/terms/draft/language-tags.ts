/** Languages offered by name: those that riders are likely to read. Any other can be typed as a tag. */
export const commonLanguages = [
  ..."ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru".split(
    " ",
  ),
  ..."sk sl sq sr sv sw ta th tl tr uk ur vi zh".split(" "),
] as const;

const SUBTAG = /^[a-z0-9]{1,8}$/i;

/**
 * RFC 5646 as far as the server checks it: groups of 1 to 8 letters and digits, starting with a
 * language.
 */
export function isTag(text: string): boolean {
  const [language = "", ...others] = text.split("-");
  return (
    text.length <= 35 && /^[a-z]{2,8}$/i.test(language) && others.every((part) => SUBTAG.test(part))
  );
}
