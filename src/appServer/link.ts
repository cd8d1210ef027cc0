/** Owns an app-server that was greeted, as those see it who ask it. */
import type { Peer } from '../executor';
import type { JsonObject, Request } from '../protocol';
import type { Word } from './wire';

/**
 * An app-server that can be asked; `tell` asks and takes any answer. `busy` holds the threads that have a turn, each with
 * what is a word of that turn, which answers the server's questions about it.
 */
export type Link = Pick<Peer, 'word$' | 'ask'> & {
  tell: (method: string, params: JsonObject) => void;
  answer: (id: Request['id'], result: JsonObject) => void;
  busy: Map<string, (word: Word) => boolean>;
};

/** The link behind a peer. */
export const linkOf = ({ word$, ask, say, newId }: Peer): Link => ({
  word$,
  ask,
  tell: (method, params) => say({ kind: 'request', id: newId(), method, params }),
  answer: (id, result) => say({ kind: 'response', id, result }),
  busy: new Map(),
});
