/** Decides what is drawn of a session, and how each message looks: its lane, letter, name and mark. */
import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { CHANCE_SEAM, isTimerSeam, MARK_SEAM } from '../format/seams';
import type { Entry } from '../format/tape';
import { isCancel, isFailure, seamOutcomeOf } from '../session/pairCalls';
import { eventTypeOf } from '../session/pairingKey';
import {
  type CallOutcome,
  endOf,
  type IndexedEntry,
  type IndexedMessage,
  type SessionIndex,
} from '../session/sessionIndex';
import type { Drawn, Look, Sign } from './chart';

/** What is drawn of a session, in its order: an entry once, a batch once for each message. */
export const toLooks = (session: SessionIndex): Drawn[] => {
  const names = new Map<number, string>(); // of the requests so far, by call
  return session.entries.flatMap((entry, index): Drawn[] => {
    if (!isDrawn(entry.entry)) return [];
    const { t } = entry.entry;
    if (entry.messages.length === 0) return [{ entry: index, t, ...drawEntry(session, entry, index) }];
    return entry.messages.map((message): Drawn => {
      const own = lookOfMessage(message, names.get(message.owner ?? -1));
      if (message.call !== undefined) names.set(message.call, own.name);
      const look = withInjected(own, entry.entry.injected);
      return { look, entry: index, t, part: message.part, message: message.index, thread: message.thread };
    });
  });
};

const drawEntry = (session: SessionIndex, { entry, seamCall }: IndexedEntry, index: number) => {
  const { dir, seam = 'mcp', call } = entry;
  if (seam === 'mcp') return { look: lookOfLog(toLogEntry(session, entry, index)) };
  return {
    look: lookOfSeam({ dir, seam, call, outcome: seamOutcomeOf(entry) }),
    thread: session.seamCalls[seamCall ?? -1]?.thread,
  };
};

const toLogEntry = ({ inputEnded }: SessionIndex, { dir, line, injected }: Entry, index: number): LogEntry => {
  if (index === inputEnded) return { kind: 'ended', name: 'the input of the client ended' };
  if (dir === 'exit') {
    const { text, isFailure } = endOf(line);
    return { kind: isFailure ? 'failed' : 'ended', name: `the server ended ${text}` };
  }
  if (injected !== undefined) return { kind: 'injected', name: `injected ${line}` };
  return dir === 'err' ? { kind: 'stderr', name: 'stderr' } : { kind: 'note', name: dir };
};

/** A line to which the recorder did something on purpose is a marble of its own sign. */
const withInjected = ({ run, ...look }: Look, injected: string | undefined): Look =>
  injected === undefined
    ? { ...look, ...(run !== undefined && { run }) }
    : { ...look, sign: INJECTED, mark: 'odd', name: `${look.name} (injected: ${injected})` };

const INJECTED: Sign = { kind: 'fixed', text: '~' };
const ERROR: Sign = { kind: 'fixed', text: '!' };
const CANCEL: Sign = { kind: 'fixed', text: 'x' };
const NO_MESSAGE: Sign = { kind: 'fixed', text: '?' };

const letter = (of: string, size: 'small' | 'capital'): Sign => ({ kind: 'letter', of, size });

/**
 * How a message is drawn.
 * @param request the name of the request that a response answers
 */
export const lookOfMessage = ({ message, from, owner }: IndexedMessage, request: string | undefined): Look => {
  switch (message.kind) {
    case 'other':
      return { ...laneOf(from, ''), sign: NO_MESSAGE, name: 'no message', mark: 'odd' };
    case 'response':
      return lookOfResponse(request ?? 'an unknown request', from, isFailure(message) ? 'failed' : 'answered');
    case 'request':
      return lookOfRequest(labelOf(message), from);
    case 'notification':
      return isCancel(message) ? lookOfCancel(message.method, from) : lookOfNotification(message, { from, owner });
  }
};

/** The client's requests and notifications share a lane; the server's notifications have a lane for each kind. */
const laneOf = (from: IndexedMessage['from'], name: string): Pick<Look, 'group' | 'key'> =>
  from === 'client' ? { group: 'request', key: 'request' } : { group: 'event', key: kindOf(name) || 'event' };

const lookOfRequest = (name: string, from: IndexedMessage['from']): Look =>
  from === 'client'
    ? { group: 'request', key: 'request', sign: letter(name, 'small'), name, mark: 'plain' }
    : { group: 'question', key: 'question', sign: letter(name, 'capital'), name, mark: 'plain' };

/** A response has the letter of its request in the other case. The client's responses are on the lane of the requests that they answer. */
const lookOfResponse = (request: string, from: IndexedMessage['from'], outcome: CallOutcome): Look => {
  const group = from === 'client' ? 'question' : 'answer';
  if (outcome === 'failed') return { group, key: group, sign: ERROR, name: `error: ${request}`, mark: 'error' };
  return from === 'client'
    ? { group, key: group, sign: letter(request, 'small'), name: `response to ${request}`, mark: 'plain' }
    : { group, key: group, sign: letter(request, 'capital'), name: request, mark: 'plain' };
};

const lookOfCancel = (method: string, from: IndexedMessage['from']): Look => {
  const name = nameOf(method, undefined);
  return { ...laneOf(from, name), sign: CANCEL, name, mark: 'cancel' };
};

type Notification = TapeMessage & { kind: 'notification' };

const lookOfNotification = (
  { method, params }: Notification,
  { from, owner }: Pick<IndexedMessage, 'from' | 'owner'>,
): Look => {
  const name = nameOf(method, params);
  if (from === 'client') return { ...laneOf(from, ''), sign: letter(name, 'small'), name, mark: 'plain' };
  const look: Look = { ...laneOf(from, name), sign: letter(name, 'capital'), name, mark: markOf(name) };
  return /(?:delta|_chunk)$/i.test(name) ? { ...look, run: `${name} ${owner}` } : look;
};

const markOf = (name: string): Look['mark'] => {
  if (/(^|[/_])error$/i.test(name)) return 'error';
  return /_aborted$/.test(name) ? 'cancel' : 'plain';
};

/** An entry at an inner seam: `in` is a request, `out` an event; a note says that the call failed or was stopped. */
export type SeamEntry = { dir: string; seam: string; call: number | undefined; outcome: CallOutcome };

/** Seams whose names say little to a reader. */
const SEAM_TITLES: Record<string, string> = {
  threads: 'thread store (resume)',
  'threads.begin': 'thread store (new thread)',
  'threads.claim': 'thread store (claim)',
  'threads.endTurn': 'thread store (end of a turn)',
  'threads.rest': 'thread store (rest)',
  'threads.lost': 'thread store (loss)',
  reach: 'executor of a thread',
  messages: 'messages of other processes',
  host: 'this machine',
};

/** The name of a seam for a reader. */
export const titleOfSeam = (seam: string): string => SEAM_TITLES[seam] ?? seam;

/** How an entry at an inner seam is drawn. Successive events of one call become one marble. */
export const lookOfSeam = ({ dir, seam, call, outcome }: SeamEntry): Look => {
  const lane = { group: seam === 'model' || seam === 'executor' ? seam : 'seam', key: seam } as const;
  const title = titleOfSeam(seam);
  const request = `request to the ${title}`;
  if (dir === 'in') return { ...lane, sign: letter(request, 'small'), name: request, mark: 'plain' };
  if (outcome === 'cancelled') return { ...lane, sign: CANCEL, name: `the ${title} was stopped`, mark: 'cancel' };
  if (outcome === 'failed') {
    return {
      ...lane,
      sign: ERROR,
      name: dir === 'out' ? `error of the ${title}` : `the ${title} failed`,
      mark: 'error',
    };
  }
  const sign = letter(request, 'capital');
  return { ...lane, sign, name: `event of the ${title}`, mark: 'plain', run: `${seam} ${call}` };
};

/** An entry without messages: a line of stderr, a note, the end of the input or of the server. */
export type LogEntry = { kind: 'stderr' | 'note' | 'injected' | 'ended' | 'failed'; name: string };

/** How an entry of the log is drawn. */
export const lookOfLog = ({ kind, name }: LogEntry): Look => {
  const lane = { group: 'log', key: 'log', name } as const;
  switch (kind) {
    case 'stderr':
      return { ...lane, sign: { kind: 'fixed', text: '>' }, mark: 'plain', run: 'stderr' };
    case 'note':
      return { ...lane, sign: { kind: 'fixed', text: '#' }, mark: 'plain' };
    case 'injected':
      return { ...lane, sign: INJECTED, mark: 'odd' };
    case 'ended':
      return { ...lane, sign: { kind: 'fixed', text: '|' }, mark: 'end' };
    case 'failed':
      return { ...lane, sign: ERROR, mark: 'error' };
  }
};

/** The name of a notification: the type of the event inside, else its method without the common prefix. */
export const nameOf = (method: string, params: unknown): string =>
  eventTypeOf(params) || method.replace(/^(notifications|codex\/event)\//, '') || method;

/** A kind is the title of a lane, so it is cut. */
const MAX_KIND = 60;

/** The kind of a name: `exec` of `exec_command_begin`, `item` of `item/started`. */
export const kindOf = (name: string): string =>
  (name.split(/[/_]/).find((part) => part !== '') ?? name).slice(0, MAX_KIND);

/** False for seams that only a rerun of the daemon needs: values that were drawn, timers, and marks. */
export const isDrawn = ({ seam }: { seam?: string }): boolean =>
  seam === undefined || (seam !== CHANCE_SEAM && seam !== MARK_SEAM && !isTimerSeam(seam));
