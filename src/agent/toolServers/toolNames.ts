/** The names under which the tools of servers are offered to a model. */

/** Source: the APIs of model providers: letters, digits, `_` and `-`, at most this many. */
const MAX_LENGTH = 64;
const DELIMITER = '__';

/** The number of hex digits of the hash that replaces what does not fit. */
const HASH_LENGTH = 40;

const fitting = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_');

/**
 * Makes the names of one list: `server__tool`. A name that is too long or already taken ends with its hash. Undefined for a third
 * tool of the same name: providers refuse a list that contains a name twice.
 * @param hash returns 40 hex digits for a text
 * Source: Codex 0.28.0, CORE 9: 24 characters and a SHA-1; there other characters stayed, and of two equal names the second was lost.
 */
export const toolName = (hash: (text: string) => string): ((server: string, tool: string) => string | undefined) => {
  const taken = new Set<string>(); // grows as the list is made
  return (server, tool) => {
    const whole = `${server}${DELIMITER}${tool}`;
    const plain = fitting(whole);
    const isFree = plain.length <= MAX_LENGTH && !taken.has(plain);
    const name = isFree ? plain : plain.slice(0, MAX_LENGTH - HASH_LENGTH) + hash(whole);
    if (taken.has(name)) return undefined;
    taken.add(name);
    return name;
  };
};
