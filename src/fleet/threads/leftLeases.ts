/** Leases that this store has no use for any more, though the server may still have them. */

/**
 * By their tokens. `leave`: the work of that lease is over, but the server may still have it. `forget`: the server no longer has it. `isLeft`: another
 * turn of this store may take its place.
 */
export type LeftLeases = {
  leave: (token: string) => void;
  forget: (token: string) => void;
  isLeft: (token: string) => boolean;
};

/** A lease ends by itself: of so many only the newest can matter. */
const MAX = 1_000;

/** A set that is changed in place, by each end of a turn. */
export const leftLeases = (max = MAX): LeftLeases => {
  const tokens = new Set<string>();
  const forget = (token: string) => void tokens.delete(token);
  const leave = (token: string) => {
    forget(token);
    tokens.add(token);
    for (const oldest of [...tokens].slice(0, Math.max(0, tokens.size - max))) forget(oldest);
  };
  return { leave, forget, isLeft: (token) => tokens.has(token) };
};
