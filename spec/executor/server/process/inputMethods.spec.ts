import { EMPTY, of } from 'rxjs';
import { closeStdin, writeInput } from '../../../../src/executor/server/execMethods';
import type { InputQueue, Write } from '../../../../src/executor/server/process/inputQueue';
import { processTable } from '../../../../src/executor/server/process/processTable';
import { marbles } from '../../../support/marbles';
import { calm } from '../support';

/** A table with one process; `done` lists what its input was given. */
const tableOf = ({ needsWriteId = true, isRunning = true } = {}) => {
  const done: unknown[] = [];
  const input: InputQueue = {
    write: ({ chunk, writeId }: Write) => {
      done.push({ chunk: String(chunk), writeId });
      return of('accepted');
    },
    close: () => {
      done.push('close');
      return of('stdinClosed');
    },
    run$: EMPTY,
    end: () => {},
  };
  const table = processTable({ maxProcesses: 1 });
  table.add({ processId: 'p', needsWriteId, input });
  if (isRunning) table.setPhase('p', { kind: 'running', process: calm });
  return { table, done };
};
const write = { processId: 'p', chunk: 'YQ==', writeId: '1' };
const status = (value: string) => ({ S: { kind: 'result', result: { status: value } } });

describe('writeInput', () => {
  it.each<[string, object, Parameters<typeof tableOf>[0], string, unknown[]]>([
    ['with an id', {}, {}, 'accepted', [{ chunk: 'a', writeId: '1' }]],
    ['without an id for an old client', { writeId: undefined }, { needsWriteId: false }, 'accepted', [{ chunk: 'a' }]],
    ['to a process that is starting', {}, { isRunning: false }, 'starting', []],
    ['to one that is unknown', { processId: 'q' }, {}, 'unknownProcess', []],
  ])('writes %s', (_, own, given, expected, calls) =>
    marbles(({ expectObservable, flush }) => {
      const { table, done } = tableOf(given);
      expectObservable(writeInput(table)({ ...write, ...own })).toBe('(S|)', status(expected));
      flush();
      expect(done).toEqual(calls);
    })(),
  );

  it.each([
    [{ writeId: undefined }, 'missing field `writeId`'],
    [{ writeId: null }, 'invalid type: null, expected a string'],
    [{ writeId: '' }, 'writeId must not be empty'],
    [{ chunk: 'YQ' }, 'Invalid padding'],
  ])('refuses %j', (own, message) => {
    expect(() => writeInput(tableOf().table)({ ...write, ...own })).toThrow(message);
  });
});

describe('closeStdin', () => {
  it.each<[string, Parameters<typeof tableOf>[0], string, unknown[]]>([
    ['p', {}, 'stdinClosed', ['close']],
    ['p', { isRunning: false }, 'starting', []],
    ['q', {}, 'unknownProcess', []],
  ])('of %s if %j', (processId, given, expected, calls) =>
    marbles(({ expectObservable, flush }) => {
      const { table, done } = tableOf(given);
      expectObservable(closeStdin(table)({ processId })).toBe('(S|)', status(expected));
      flush();
      expect(done).toEqual(calls);
    })(),
  );
});
