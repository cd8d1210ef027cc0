import { EMPTY, NEVER, of } from 'rxjs';
import { closeStdin, writeInput } from '../../../../src/executor/server/execMethods';
import type { InputQueue, Write } from '../../../../src/executor/server/process/inputQueue';
import { processOf, processTable, toChunk, toPage } from '../../../../src/executor/server/process/processTable';
import type { OutputPage } from '../../../../src/protocol/exec/process';
import { marbles } from '../../../support/marbles';
import { calm } from '../support';

const input: InputQueue = { write: () => NEVER, close: () => NEVER, run$: NEVER, end: () => {} };
const entry = (processId: string) => ({ processId, needsWriteId: true, input });

describe('processTable', () => {
  it('knows a process from its start to its removal, in each phase', () => {
    const table = processTable({ maxProcesses: 9 });
    table.add(entry('p'));
    expect(table.find('p')).toEqual({ ...entry('p'), phase: { kind: 'starting' }, denied: false });
    table.setPhase('p', { kind: 'running', process: calm });
    expect(table.find('p')).toEqual({ ...entry('p'), phase: { kind: 'running', process: calm }, denied: false });
    table.remove('p');
    expect(table.find('p')).toBeUndefined();
    table.setPhase('p', { kind: 'cancelled' });
    expect(table.find('p')).toBeUndefined();
  });

  it('refuses an id that is taken, and one process too many; a closed one does not count', () => {
    const table = processTable({ maxProcesses: 1 });
    table.add(entry('p'));
    expect(() => table.add(entry('p'))).toThrow('process p already exists');
    expect(() => table.add(entry('q'))).toThrow('too many processes: 1 run already');
    table.setPhase('p', { kind: 'closed', process: calm });
    expect(() => table.add(entry('q'))).not.toThrow();
  });
});

describe('setDenied', () => {
  it('marks a process that is there, whatever its phase is then', () => {
    const table = processTable({ maxProcesses: 9 });
    table.add(entry('p'));
    table.setDenied('p');
    table.setDenied('unknown');
    table.setPhase('p', { kind: 'closed', process: calm });
    expect([table.find('p')?.denied, table.find('unknown')]).toEqual([true, undefined]);
  });
});

describe('processOf', () => {
  it.each([
    [{ kind: 'starting' } as const, undefined],
    [{ kind: 'cancelled' } as const, undefined],
    [{ kind: 'running', process: calm } as const, calm],
    [{ kind: 'closed', process: calm } as const, calm],
  ])('gives the process of %j once it has started', (phase, expected) => {
    expect(processOf({ ...entry('p'), phase, denied: false })).toBe(expected);
  });
});

const chunk = { seq: 3, stream: 'stderr' as const, chunk: Buffer.from('a') };
const page: OutputPage = { chunks: [chunk], nextSeq: 4, exited: true, exitCode: 0, closed: false, failure: null };
const wire = { seq: 3, stream: 'stderr', chunk: 'YQ==' };

describe('toChunk', () => {
  it('has its bytes as base64', () => {
    expect(toChunk(chunk)).toEqual(wire);
  });
});

describe('toPage', () => {
  it.each([
    [page, false, {}],
    [page, true, { sandboxDenied: true }],
    [{ ...page, exited: false, exitCode: null }, true, { exited: false, exitCode: null }],
    [{ ...page, evicted: { throughSeq: 2, bytes: 10 } }, false, { evictedThrough: 2, evictedBytes: 10 }],
  ])('of %j, denied: %j', (given, denied, more) => {
    expect(toPage(given, { denied })).toEqual({
      chunks: [wire],
      nextSeq: 4,
      exited: true,
      exitCode: 0,
      closed: false,
      failure: null,
      sandboxDenied: false,
      ...more,
    });
  });
});

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
