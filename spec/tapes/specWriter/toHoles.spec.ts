import { toHandles } from '../../../src/tapes/handles/handles';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { selectLines } from '../../../src/tapes/specWriter/selectLines';
import { freeName, toHoles } from '../../../src/tapes/specWriter/toHoles';
import { sessionFrom } from '../../support/tapes';

const [ONE, TWO, THREE] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string];

const holesOf = (...sent: [dir: string, message: object][]) => {
  const session = sessionFrom(...sent.map(([dir, message], t): [number, string, object] => [t, dir, message]));
  const index = toSessionIndex(session);
  return toHoles(selectLines(index, {}) ?? [], toHandles(index));
};

describe('toHoles', () => {
  it('numbers the UUIDs of the server in the order in which they came, also within texts', () => {
    const { ofServer, ofClient } = holesOf(['out', { a: ONE }], ['out', { b: `at ${TWO}` }]);
    expect(ofServer({ a: TWO, b: `${ONE}/${TWO}` })).toEqual({ a: '<uuid 2>', b: '<uuid 1>/<uuid 2>' });
    expect(ofClient({ a: TWO, b: [ONE] })).toEqual({ a: '<uuid 2>', b: ['<uuid 1>'] });
  });

  it('leaves a UUID that the client sent first as it is, and masks it where the server sends it', () => {
    const { ofServer, ofClient } = holesOf(['in', { id: THREE }], ['out', { id: THREE }], ['out', { id: ONE }]);
    expect(ofClient({ id: THREE })).toEqual({ id: THREE });
    expect(ofServer({ id: THREE, other: ONE })).toEqual({ id: THREE, other: '<uuid 1>' });
  });

  it('numbers a token that the client sends back, and masks one that it does not', () => {
    const { ofServer, ofClient } = holesOf(
      ['out', { nextCursor: 'first', requestState: 'kept' }],
      ['in', { cursor: 'first' }],
    );
    expect(ofServer({ nextCursor: 'first', requestState: 'kept' })).toEqual({
      nextCursor: '<token 1>',
      requestState: '<token>',
    });
    expect(ofClient({ cursor: 'first' })).toEqual({ cursor: '<token 1>' });
  });

  it('names the handles of any form, as their kind and by their members, and masks what is between them', () => {
    const opened = { text: 'Opened sess_1a2b3c, 4711 at 10ms', sessionId: 'sess_1a2b3c', handle: 4711, fd: 3 };
    const { ofServer, ofClient } = holesOf(
      ['in', { id: 0, method: 'x' }],
      ['out', { id: 0, result: opened }],
      ['in', { id: 1, method: 'y', params: { of: ['sess_1a2b3c', '4711'], fd: 3, count: 3 } }],
    );
    expect(ofServer({ result: opened })).toEqual({
      result: {
        text: 'Opened <string $sessionId>, <number $handle> at <duration>',
        sessionId: '<string $sessionId>',
        handle: '<number $handle>',
        fd: '<number $fd>',
      },
    });
    expect(ofClient({ params: { of: ['sess_1a2b3c', '4711'], fd: 3, count: 3 } })).toEqual({
      params: { of: ['<string $sessionId>', '<string $handle>'], fd: '<number $fd>', count: 3 },
    });
  });

  it('leaves a token one value, though a word of it could be a handle', () => {
    const { ofServer, ofClient } = holesOf(
      ['in', { id: 0, method: 'x' }],
      ['out', { id: 0, result: { requestState: 'name.1a2b3c4d-' } }],
      ['in', { id: 1, method: 'x', params: { requestState: 'name.1a2b3c4d-' } }],
    );
    expect(ofServer({ result: { requestState: 'name.1a2b3c4d-' } })).toEqual({ result: { requestState: '<token 1>' } });
    expect(ofClient({ params: { requestState: 'name.1a2b3c4d-' } })).toEqual({ params: { requestState: '<token 1>' } });
  });

  it('masks times, durations and folders of the server only', () => {
    const value = { at: '2025-01-01T00:00:00Z', duration_ms: 7, cwd: '/home/me/x', pid: 7 };
    const { ofServer, ofClient } = holesOf(['out', {}]);
    expect(ofServer(value)).toEqual({ at: '<time>', duration_ms: '<duration>', cwd: '<home>/x', pid: '<pid>' });
    expect(ofClient(value)).toEqual(value);
  });
});

describe('freeName', () => {
  it.each<[string, string[], string]>([
    ['taskId', [], 'taskId'],
    ['taskId', ['taskId'], 'taskId2'],
    ['taskId', ['taskId', 'taskId2'], 'taskId3'],
    ['file name!', [], 'file_name'],
    ['0_', [], 'value'],
  ])('makes of %j with %j in use %j', (label, used, name) => {
    expect(freeName(label, new Set(used))).toBe(name);
  });
});
