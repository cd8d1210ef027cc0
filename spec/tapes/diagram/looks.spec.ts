import type { Look } from '../../../src/tapes/diagram/chart';
import {
  isDrawn,
  kindOf,
  type LogEntry,
  lookOfLog,
  lookOfMessage,
  lookOfSeam,
  nameOf,
  type SeamEntry,
  toLooks,
} from '../../../src/tapes/diagram/looks';
import { kindsWithLane } from '../../../src/tapes/diagram/toChart';
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
    ['client', { method: 'session/cancel' }, 'request/request | x | session/cancel | cancel'],
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

const drawn = (...lines: Parameters<typeof sessionFrom>) =>
  toLooks(toSessionIndex(sessionFrom(...lines))).map(({ entry, part, message, thread, look }) => ({
    entry,
    part,
    message,
    thread,
    name: look.name,
  }));

describe('toLooks', () => {
  it('draws each message of a batch, and names a response by its request', () => {
    expect(
      drawn(
        [
          0,
          'in',
          [
            { id: 1, method: 'a' },
            { id: 2, method: 'b', params: { threadId: 't' } },
          ],
        ],
        [1, 'out', { id: 2, result: {} }],
        [2, 'err', 'a line of stderr'],
      ),
    ).toEqual([
      { entry: 0, part: 0, message: 0, thread: undefined, name: 'a' },
      { entry: 0, part: 1, message: 1, thread: 0, name: 'b' },
      { entry: 1, part: undefined, message: 2, thread: 0, name: 'b' },
      { entry: 2, part: undefined, message: undefined, thread: undefined, name: 'stderr' },
    ]);
  });

  it('draws what was injected by a sign of its own, and names it', () => {
    const session = sessionFrom(
      [0, 'in', { id: 1, method: 'ping' }],
      [1, 'out', { id: 1, result: {} }],
      [2, 'note', 'no'],
    );
    const marks = [undefined, 'is lost', 'crash'];
    for (const [i, injected] of marks.entries()) Object.assign(session.entries[i]?.entry ?? {}, { injected });
    expect(toLooks(toSessionIndex(session)).map(({ look }) => shown(look))).toEqual([
      'request/request | small of ping | ping | plain',
      'answer/answer | ~ | ping (injected: is lost) | odd',
      'log/log | ~ | injected no | odd',
    ]);
  });

  it('draws a second response as one to the same request', () => {
    expect(
      drawn([0, 'in', { id: 1, method: 'a' }], [1, 'out', { id: 1, result: {} }], [2, 'out', { id: 1, error: {} }]).map(
        ({ name }) => name,
      ),
    ).toEqual(['a', 'a', 'error: a']);
  });

  it('draws every exit as an end, the processes of a tape that restarts too', () => {
    const looks = toLooks(
      toSessionIndex(sessionFrom([0, 'exit', '{"code":0}'], [1, 'exit', '{"code":1}'], [2, 'exit', 'gone'])),
    );
    expect(looks.map(({ look: { name, mark } }) => [name, mark])).toEqual([
      ['the server ended with exit code 0', 'end'],
      ['the server ended with exit code 1', 'error'],
      ['the server ended in an unknown way', 'end'],
    ]);
  });
});

describe('isDrawn', () => {
  it.each([
    [undefined, true],
    ['model', true],
    ['engine', true],
    ['chance', false],
    ['timer 10000', false],
  ])('of the seam %s is %j', (seam, expected) => {
    expect(isDrawn({ seam })).toBe(expected);
  });
});

describe('nameOf', () => {
  it.each([
    ['codex/event', { msg: { type: 'task_started' } }, 'task_started'],
    ['codex/event/task_started', {}, 'task_started'],
    ['notifications/progress', {}, 'progress'],
    ['item/started', {}, 'item/started'],
    ['notifications/', {}, 'notifications/'],
  ])('of %s is its event, else its method without the common prefix', (method, params, name) => {
    expect(nameOf(method, params)).toBe(name);
  });
});

describe('kindOf', () => {
  it.each([
    ['exec_command_begin', 'exec'],
    ['item/started', 'item'],
    ['/x', 'x'],
    ['', ''],
  ])('of %s is its first part', (name, kind) => {
    expect(kindOf(name)).toBe(kind);
  });
});

describe('kindsWithLane', () => {
  it('are all of eight, and the seven most common of more', () => {
    const counts = (many: number) => new Map(Array.from({ length: many }, (_, i) => [`k${i}`, i]));
    expect(kindsWithLane(counts(8)).size).toBe(8);
    expect([...kindsWithLane(counts(9))]).toEqual(['k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2']);
  });
});
