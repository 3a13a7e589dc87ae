// Random choices from a seed, so that a difference can be repeated.

/** mulberry32: 32 bits of state, enough for test data. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance = (share) => next() < share;
  const integer = (most) => Math.floor(next() * (most + 1));
  const pick = (values) => values[integer(values.length - 1)];
  const some = (values, least = 0) => {
    const rest = [...values];
    const count = least + integer(Math.min(3, values.length) - least);
    return Array.from({ length: count }, () => rest.splice(integer(rest.length - 1), 1)[0]);
  };
  const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  return { chance, integer, pick, some, times };
}

export const CITIES = ["Berlin", "berlin", "Porto", "Montevideo", "Ünterlingen"];
export const VERSIONS = ["1.0.0", "1.2.3", "1.2.3-beta.2", "1.10.0", "2.0.0", "2.0.0-rc.1"];
export const ADDRESSES = ["10.1.2.3", "10.2.0.1", "192.168.4.4"];
export const NETWORKS = ["10.0.0.0/8", "10.1.0.0/16", "192.168.4.4"];
