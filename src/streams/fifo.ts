/** A queue that stays fast when it is long, as an array's `shift` does not. Owns its array, which changes in place. */

export type Fifo<T> = { push: (item: T) => void; shift: () => T; isEmpty: () => boolean };

/** First in, first out. `shift` is for one that is not empty. */
export const fifo = <T>(): Fifo<T> => {
  let items: T[] = [];
  let first = 0;
  return {
    push: (item) => void items.push(item),
    shift: () => {
      const item = items[first] as T;
      first += 1;
      if (first === items.length || (first > 64 && first * 2 > items.length)) {
        items = items.slice(first);
        first = 0;
      }
      return item;
    },
    isEmpty: () => items.length === 0,
  };
};
