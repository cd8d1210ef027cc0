/** Makes the messages of a spec: what a letter stands for, without the ids of a run. */

/** A JSON value with its holes. */
export type Value = unknown;

/** What a letter stands for: a message, several in a batch, or the text of a line that is not a message. */
export type Message = { readonly [member: string]: Value } | readonly Message[] | string;

/**
 * A request. The ids of a client count from 0; a server may use any id. `{ ...request('ping'), id: 'own' }` has an id of its own.
 * @param params may have holes in what a server sends, see docs/testing.md
 */
export const request = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: '<id>',
  method,
  ...(params && { params }),
});

/** A notification that a client sends. */
export const notification = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  method,
  ...(params && { params }),
});

/** The response to the oldest request of a letter that has none yet. */
export const answer = (letter: string, result: Value) => ({ jsonrpc: '2.0', id: idOf(letter), result });

/** The error response to the oldest request of a letter that has none yet: `refusal('s', -32600, 'Invalid request')`. */
export const refusal = (letter: string, ...[code, message, data]: [code: number, message: string, data?: Value]) => ({
  jsonrpc: '2.0',
  id: idOf(letter),
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Stands for the id of the latest request of a letter, such as in the params of `notifications/cancelled`. */
export const idOf = (letter: string): string => `<id of ${letter}>`;

/** Takes any value. */
export const anything = '<anything>';
