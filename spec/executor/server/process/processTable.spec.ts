import { NEVER } from 'rxjs';
import type { InputQueue } from '../../../../src/executor/server/process/inputQueue';
import { processOf, processTable, toChunk, toPage } from '../../../../src/executor/server/process/processTable';
import type { OutputPage } from '../../../../src/protocol/exec/process';
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
