/** The client's side of ACP in a case: who is asked for permissions, files and terminals, none of which are real. */
import { isObject, ownOf, toObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';

type Json = Readonly<Record<string, unknown>>;

/** A request of the server. */
export type ServerRequest = { id: RequestId; method: string; params: unknown };

/** What the client sends when it is asked: responses, none while it waits; undefined for what it does not know. */
export type ClientSide = (request: ServerRequest) => readonly object[] | undefined;

/** The capabilities of a client that has it all. */
export const WITH_ALL = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

/** What the client does. */
export type ClientChoice = {
  /** The kinds of options that are selected, the first that is offered; if none is, the question is dismissed. Default: `allow_once`. */
  selects?: readonly string[];
  /** Whether a command in a terminal goes on until it is killed or released. Default: it is over at once. */
  isLong?: true;
};

const OUTCOMES: Readonly<Record<string, object>> = {
  'fs/read_text_file': { content: 'one\ntwo\n' },
  'fs/write_text_file': {},
  'terminal/kill': {},
  'terminal/release': {},
};
const EXIT = { exitCode: 0, signal: null };
const KILLED = { exitCode: null, signal: 'SIGTERM' };

/** The id of the only terminal of a session that the rows of a case may name. */
export const TERMINAL = 'terminal-1';

/** The kinds of the options of a question. */
export const kindsOf = (params: unknown): string[] => optionsOf(params).map(({ kind }) => String(kind));

/** The id of the option of a kind; undefined if it is not offered. */
export const optionOf = (params: unknown, kind: string): unknown =>
  optionsOf(params).find((one) => one.kind === kind)?.optionId;

const optionsOf = (params: unknown): Json[] => {
  const { options } = toObject(params);
  return Array.isArray(options) ? options.filter(isObject) : [];
};

/** Makes the client of one session. */
export const clientSide =
  ({ selects = ['allow_once'], isLong }: ClientChoice = {}) =>
  (): ClientSide => {
    let made = 0;
    let waiting: RequestId[] = []; // for the end of the command
    let end: object | undefined = isLong ? undefined : EXIT;
    const toEnd = (): object[] => {
      const over = waiting;
      waiting = [];
      end ??= KILLED;
      return over.map((id) => ({ jsonrpc: '2.0', id, result: end }));
    };
    return ({ id, method, params }) => {
      const answer = (result: object): object[] => [{ jsonrpc: '2.0', id, result }];
      if (method === 'session/request_permission') return answer({ outcome: outcomeOf(params, selects) });
      if (method === 'terminal/create') {
        made += 1;
        return answer({ terminalId: `terminal-${made}` });
      }
      if (method === 'terminal/output')
        return answer({ output: 'done\n', truncated: false, ...(end && { exitStatus: end }) });
      if (method === 'terminal/wait_for_exit') {
        if (end !== undefined) return answer(end);
        waiting.push(id);
        return [];
      }
      const own = ownOf(OUTCOMES, method);
      return own && [...answer(own), ...(/^terminal\//.test(method) ? toEnd() : [])];
    };
  };

const outcomeOf = (params: unknown, kinds: readonly string[]): object => {
  const optionId = kinds.map((kind) => optionOf(params, kind)).find((one) => one !== undefined);
  return optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
};
