/** Owns how a message looks: its lane, letter, name and mark. Pairing it with others is not here. */
import { isObject } from '../protocol/jsonrpc';
import { labelOf, type TapeMessage } from '../session';
import type { Look } from './chart';
import { kindOf, nameOf } from './eventKinds';
import type { Letters } from './letters';

/** A sign for what is no letter. */
const ERROR = '!';
const CANCEL = 'x';
const ODD = '?';
const LOG: Record<string, string> = { err: '>', exit: '|' };

/** The client's small letters are on one lane, its answers beside the questions; the server's capitals by kind. */
export const lookOf = (word: Exclude<TapeMessage, { kind: 'response' }>, dir: 'in' | 'out', letters: Letters): Look => {
  if (word.kind === 'other') return { ...laneOf(dir, ''), symbol: ODD, name: 'no message', mark: 'odd' };
  if (word.kind === 'request') return ofRequest(labelOf(word), dir, letters);
  const name = nameOf(word.method, word.params);
  if (word.method === 'notifications/cancelled') return { ...laneOf(dir, name), symbol: CANCEL, name, mark: 'cancel' };
  const symbol = letters(name, dir === 'in' ? 'small' : 'capital');
  const run = /delta$/i.test(name) ? { run: name } : {};
  const mark = /(^|[/_])error$/i.test(name) ? 'error' : /_aborted$/.test(name) ? 'cancel' : 'said';
  return dir === 'in'
    ? { ...laneOf(dir, ''), symbol, name, mark: 'said' }
    : { ...laneOf(dir, name), symbol, name, mark, ...run };
};

const laneOf = (dir: 'in' | 'out', name: string): Pick<Look, 'group' | 'key'> =>
  dir === 'in' ? { group: 'request', key: 'request' } : { group: 'event', key: kindOf(name) || 'event' };

const ofRequest = (name: string, dir: 'in' | 'out', letters: Letters): Look =>
  dir === 'in'
    ? { group: 'request', key: 'request', symbol: letters(name, 'small'), name, mark: 'said' }
    : { group: 'question', key: 'question', symbol: letters(name, 'capital'), name, mark: 'said' };

/** An answer has the letter of its question in the other case; `asked` is what was asked. */
export const lookOfAnswer = (asked: string, dir: 'in' | 'out', failed: boolean, letters: Letters): Look => {
  const [group, name] = dir === 'in' ? (['question', `answer to ${asked}`] as const) : (['answer', asked] as const);
  if (failed) return { group, key: group, symbol: ERROR, name: `error: ${asked}`, mark: 'error' };
  const symbol = dir === 'in' ? letters(asked, 'capital').toLowerCase() : letters(asked, 'small').toUpperCase();
  return { group, key: group, symbol, name, mark: 'said' };
};

/** Whether an answer says that something failed: an error, or a tool's result that is one. */
export const isFailure = ({ body }: Extract<TapeMessage, { kind: 'response' }>): boolean =>
  'error' in body || (isObject(body.result) && body.result.isError === true);

/** At an inner seam `in` asks and `out` tells; a note is that it failed, or that it was stopped. */
export const lookOfSeam = (dir: string, seam: string, call: unknown, line: string, letters: Letters): Look => {
  const group = seam === 'model' || seam === 'executor' ? seam : 'seam';
  const small = letters(`asked of the ${seam}`, 'small');
  const lane = { group, key: seam } as const;
  if (dir === 'in') return { ...lane, symbol: small, name: `asked of the ${seam}`, mark: 'said' };
  if (dir === 'out') {
    const failed = /^\{"(kind|type)":"(error|failed)"/.test(line);
    const name = failed ? `error of the ${seam}` : `told by the ${seam}`;
    if (failed) return { ...lane, symbol: ERROR, name, mark: 'error' };
    return { ...lane, symbol: small.toUpperCase(), name, mark: 'said', run: `${seam} ${call}` };
  }
  return line === 'stopped'
    ? { ...lane, symbol: CANCEL, name: `the ${seam} was stopped`, mark: 'cancel' }
    : { ...lane, symbol: ERROR, name: `the ${seam} failed`, mark: 'error' };
};

/** What was said beside the wire: stderr, remarks, the end. */
export const lookOfLog = (dir: string, line: string, ending: boolean): Look => {
  const name = dir === 'err' ? 'stderr' : dir;
  const mark = ending ? (dir === 'exit' && !endedWell(line) ? 'error' : 'end') : 'said';
  const symbol = mark === 'error' ? ERROR : ending ? '|' : (LOG[dir] ?? '#');
  return { group: 'log', key: 'log', symbol, name, mark, ...(dir === 'err' && { run: 'stderr' }) };
};

/** Whether the line of an `exit` is that of a process that was content. */
export const endedWell = (line: string): boolean => {
  try {
    const { code } = JSON.parse(line) as { code?: unknown };
    return code === 0;
  } catch {
    return false;
  }
};
