/** Decides how a message looks: its lane, letter, name and mark. */

import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { isFailure } from '../session/pairCalls';
import type { CallOutcome, IndexedMessage } from '../session/sessionIndex';
import type { Look, Sign } from './chart';
import { kindOf, nameOf } from './notificationKinds';

const ERROR: Sign = { kind: 'fixed', text: '!' };
const CANCEL: Sign = { kind: 'fixed', text: 'x' };
const NO_MESSAGE: Sign = { kind: 'fixed', text: '?' };

const letter = (of: string, size: 'small' | 'capital'): Sign => ({ kind: 'letter', of, size });

/** @param request the name of the request that a response answers */
export const lookOfMessage = ({ message, from, owner }: IndexedMessage, request: string | undefined): Look => {
  switch (message.kind) {
    case 'other':
      return { ...laneOf(from, ''), sign: NO_MESSAGE, name: 'no message', mark: 'odd' };
    case 'response':
      return lookOfResponse(request ?? 'an unknown request', from, isFailure(message) ? 'failed' : 'answered');
    case 'request':
      return lookOfRequest(labelOf(message), from);
    case 'notification':
      return lookOfNotification(message.method, nameOf(message.method, message.params), { from, owner });
  }
};

/** The client's requests and notifications share a lane; the server's notifications have one for each kind. */
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

const lookOfNotification = (method: string, name: string, { from, owner }: Pick<IndexedMessage, 'from' | 'owner'>) => {
  if (method === 'notifications/cancelled') {
    return { ...laneOf(from, name), sign: CANCEL, name, mark: 'cancel' } satisfies Look;
  }
  if (from === 'client')
    return { ...laneOf(from, ''), sign: letter(name, 'small'), name, mark: 'plain' } satisfies Look;
  const look = { ...laneOf(from, name), sign: letter(name, 'capital'), name, mark: markOf(name) };
  return /delta$/i.test(name) ? { ...look, run: `${name} ${owner}` } : look;
};

const markOf = (name: string): Look['mark'] => {
  if (/(^|[/_])error$/i.test(name)) return 'error';
  return /_aborted$/.test(name) ? 'cancel' : 'plain';
};

/** An entry at an inner seam: `in` is a request, `out` an event, a note marks that the call failed or was stopped. */
export type SeamEntry = { dir: string; seam: string; call: number | undefined; outcome: CallOutcome };

/** Events of one call that follow each other become one marble. */
export const lookOfSeam = ({ dir, seam, call, outcome }: SeamEntry): Look => {
  const lane = { group: seam === 'model' || seam === 'executor' ? seam : 'seam', key: seam } as const;
  const request = `request to the ${seam}`;
  if (dir === 'in') return { ...lane, sign: letter(request, 'small'), name: request, mark: 'plain' };
  if (outcome === 'cancelled') return { ...lane, sign: CANCEL, name: `the ${seam} was stopped`, mark: 'cancel' };
  if (outcome === 'failed') {
    return { ...lane, sign: ERROR, name: dir === 'out' ? `error of the ${seam}` : `the ${seam} failed`, mark: 'error' };
  }
  const sign = letter(request, 'capital');
  return { ...lane, sign, name: `event of the ${seam}`, mark: 'plain', run: `${seam} ${call}` };
};

/** An entry beside the messages: a line of stderr, a note, or an end of input or of the server. */
export type LogEntry = { kind: 'stderr' | 'note' | 'ended' | 'failed'; name: string };

/** How an entry of the log is drawn. */
export const lookOfLog = ({ kind, name }: LogEntry): Look => {
  const lane = { group: 'log', key: 'log', name } as const;
  switch (kind) {
    case 'stderr':
      return { ...lane, sign: { kind: 'fixed', text: '>' }, mark: 'plain', run: 'stderr' };
    case 'note':
      return { ...lane, sign: { kind: 'fixed', text: '#' }, mark: 'plain' };
    case 'ended':
      return { ...lane, sign: { kind: 'fixed', text: '|' }, mark: 'end' };
    case 'failed':
      return { ...lane, sign: ERROR, mark: 'error' };
  }
};
