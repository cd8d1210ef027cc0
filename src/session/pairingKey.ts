/** Owns which lines of a server are of one sort, so that they can be counted and paired between two runs. */
import { idKey, isObject } from '../protocol/jsonrpc';
import type { TapeMessage } from './parseLine';
import { nameKey, referencesOf } from './requestNames';

/** A sort of word. One that is `hard` must come before the client goes on; notifications may be fewer or more. */
export type PairingKey = { key: string; required: boolean };

/** The sort of a word: an answer by its id, a question by its method, a notification by its type and its request. */
export const toPairingKey = (word: TapeMessage): PairingKey => {
  switch (word.kind) {
    case 'response':
      return { key: `answer ${word.id === null ? 'null' : idKey(word.id)}`, required: true };
    case 'request':
      return { key: `question ${word.method}`, required: true };
    case 'notification':
      return {
        key: [word.method, eventTypeOf(word.params), ...referencesOf(word).map(nameKey)].join(' '),
        required: false,
      };
    case 'other':
      return { key: 'text', required: false };
  }
};

/** The type of an event inside a notification, '' for none. */
export const eventTypeOf = (params: unknown): string =>
  isObject(params) && isObject(params.msg) && typeof params.msg.type === 'string' ? params.msg.type : '';

/** A line of the server in a word: that it answers, its method, or the type of the event in it. */
export const serverLabelOf = (word: TapeMessage | undefined): string => {
  if (word?.kind === 'response') return 'error' in word.body ? 'error' : 'answer';
  if (word === undefined || !('method' in word)) return 'no message';
  const type = eventTypeOf(word.params);
  return type === '' ? word.method : type;
};
