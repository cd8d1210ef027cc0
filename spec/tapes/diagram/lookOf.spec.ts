import type { Look } from '../../../src/tapes/diagram/chart';
import { type LogEntry, lookOfLog, lookOfMessage, lookOfSeam, type SeamEntry } from '../../../src/tapes/diagram/lookOf';
import type { Side } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

/** Group, key, sign, name and mark in one line. */
const shown = ({ group, key, sign, name, mark, run }: Look): string => {
  const symbol = sign.kind === 'fixed' ? sign.text : `${sign.size} of ${sign.of}`;
  return [`${group}/${key}`, symbol, name, mark, ...(run === undefined ? [] : [`run ${run}`])].join(' | ');
};

const lookOf = (from: Side, message: object | string, request?: string): string => {
  const { messages } = toSessionIndex(sessionFrom([0, from === 'client' ? 'in' : 'out', message]));
  const [first] = messages;
  if (first === undefined) throw new Error('the line holds no message');
  return shown(lookOfMessage(first, request));
};

describe('lookOfMessage', () => {
  it.each<[Side, object | string, string]>([
    ['client', { id: 1, method: 'ping' }, 'request/request | small of ping | ping | plain'],
    ['server', { id: 1, method: 'ask' }, 'question/question | capital of ask | ask | plain'],
    ['client', { method: 'notifications/initialized' }, 'request/request | small of initialized | initialized | plain'],
    ['server', { method: 'item/started' }, 'event/item | capital of item/started | item/started | plain'],
    ['server', { method: 'stream_error' }, 'event/stream | capital of stream_error | stream_error | error'],
    ['server', { method: 'turn_aborted' }, 'event/turn | capital of turn_aborted | turn_aborted | cancel'],
    ['server', { method: 'a_delta' }, 'event/a | capital of a_delta | a_delta | plain | run a_delta undefined'],
    ['client', { method: 'notifications/cancelled' }, 'request/request | x | cancelled | cancel'],
    ['server', { method: 'notifications/cancelled' }, 'event/cancelled | x | cancelled | cancel'],
    ['client', 'no message', 'request/request | ? | no message | odd'],
    ['server', 'no message', 'event/event | ? | no message | odd'],
  ])('of what the %s sends: %j', (from, message, look) => {
    expect(lookOf(from, message)).toBe(look);
  });

  it.each<[Side, object, string | undefined, string]>([
    ['server', { result: {} }, 'ping', 'answer/answer | capital of ping | ping | plain'],
    ['client', { result: {} }, 'ask', 'question/question | small of ask | response to ask | plain'],
    ['server', { error: {} }, 'ping', 'answer/answer | ! | error: ping | error'],
    ['server', { result: { isError: true } }, 'ping', 'answer/answer | ! | error: ping | error'],
    ['server', { result: {} }, undefined, 'answer/answer | capital of an unknown request | an unknown request | plain'],
  ])('of a response of the %s has the letter of its request: %j to %s', (from, body, request, look) => {
    expect(lookOf(from, { id: 1, ...body }, request)).toBe(look);
  });
});

describe('lookOfSeam', () => {
  const entry = { seam: 'model', call: 1, dir: 'out', outcome: 'answered' } as const;

  it.each<[SeamEntry, string]>([
    [{ ...entry, dir: 'in' }, 'model/model | small of request to the model | request to the model | plain'],
    [entry, 'model/model | capital of request to the model | event of the model | plain | run model 1'],
    [{ ...entry, outcome: 'failed' }, 'model/model | ! | error of the model | error'],
    [{ ...entry, dir: 'note', outcome: 'failed' }, 'model/model | ! | the model failed | error'],
    [{ ...entry, dir: 'note', outcome: 'cancelled' }, 'model/model | x | the model was stopped | cancel'],
    [{ ...entry, seam: 'own', dir: 'in' }, 'seam/own | small of request to the own | request to the own | plain'],
  ])('of %j', (seamEntry, look) => {
    expect(shown(lookOfSeam(seamEntry))).toBe(look);
  });
});

describe('lookOfLog', () => {
  it.each<[LogEntry, string]>([
    [{ kind: 'stderr', name: 'stderr' }, 'log/log | > | stderr | plain | run stderr'],
    [{ kind: 'note', name: 'note' }, 'log/log | # | note | plain'],
    [{ kind: 'ended', name: 'the end' }, 'log/log | | | the end | end'],
    [{ kind: 'failed', name: 'a crash' }, 'log/log | ! | a crash | error'],
  ])('of %j', (entry, look) => {
    expect(shown(lookOfLog(entry))).toBe(look);
  });
});
