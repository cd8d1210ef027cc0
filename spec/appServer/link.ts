/** Owns a link to an app-server for specs: its words and its answers are marbles, what it is asked is kept. */
import { defer, NEVER, type Observable } from 'rxjs';
import type { Link } from '../../src/appServer';
import type { Word } from '../../src/appServer/wire';
import type { JsonObject } from '../../src/protocol/jsonrpc';

export const THREAD = 't1';

export const word = (method: string, params: JsonObject = {}): Word => ({
  kind: 'notification',
  method,
  params: { threadId: THREAD, ...params },
});

/** @param answers by method; a method without one is never answered */
export const linkDouble = (word$: Observable<Word>, answers: Record<string, () => Observable<JsonObject>> = {}) => {
  const asked: [string, JsonObject][] = [];
  const told: string[] = [];
  const answered: [unknown, JsonObject][] = [];
  const link: Link = {
    word$,
    ask: (method, params) =>
      defer(() => {
        asked.push([method, params]);
        return answers[method]?.() ?? NEVER;
      }),
    tell: (method) => {
      told.push(method);
    },
    answer: (id, result) => {
      answered.push([id, result]);
    },
    busy: new Map(),
    givenUp: new Set(),
  };
  return { link, asked, told, answered };
};
