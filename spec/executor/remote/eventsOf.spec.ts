import { LAGGED } from '../../../src/executor/lag/recoverLag';
import { eventsOf } from '../../../src/executor/remote/runProcess';
import type { RpcNotification } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';
import { closed, exited, output } from '../events';

const note = (method: string, params: unknown): RpcNotification => ({ kind: 'notification', method, params });
const own = (method: string, params: object) => note(`process/${method}`, { processId: 'p', ...params });
const notes = {
  o: own('output', { seq: 1, stream: 'pty', chunk: 'YQ==' }),
  x: own('exited', { seq: 2, exitCode: 3, sandboxDenied: false }),
  z: own('closed', { seq: 3 }),
  u: own('paused', { seq: 4 }),
  e: note('process/output', { processId: 'other', seq: 1, stream: 'stdout', chunk: '' }),
  n: note('process/output', null),
  b: own('output', { seq: '1', stream: 'stdout', chunk: '' }),
  L: LAGGED,
};
const events = { O: output(1, 'a', 'pty'), X: exited(2, 3), Z: closed(3), L: LAGGED };

describe('eventsOf', () => {
  it('emits the events of its process, and lagged; logs what cannot be read', () => {
    const records: unknown[] = [];
    marbles(({ cold, expectObservable }) => {
      const source = '  oxzuenbL-|';
      const expected = 'OXZ----L-|';
      const log = (...record: unknown[]) => void records.push(record);
      expectObservable(cold(source, notes).pipe(eventsOf('p', log))).toBe(expected, events);
    })();
    const why = 'Invalid params: params.seq must be a number, not a string';
    expect(records).toEqual([
      ['warning', 'a notification of the exec-server cannot be read', { method: 'process/output', why }],
    ]);
  });

  it.each([
    ['never', '---', '---'],
    ['empty', '--|', '--|'],
    ['error', '-o#', '-O#'],
  ])('follows its source: %s', (_, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source, notes).pipe(eventsOf('p', () => {}))).toBe(expected, events);
    })(),
  );
});
