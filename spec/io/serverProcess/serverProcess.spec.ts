import { NEVER } from 'rxjs';
import type { PeerEvent } from '../../../src/io/processes/fromChild';
import { serverProcess, withProcessId } from '../../../src/io/serverProcess/serverProcess';
import { marbles } from '../../support/marbles';

const output = (stream: 'stdout' | 'stderr', text: string): PeerEvent => ({
  kind: 'output',
  stream,
  chunk: Buffer.from(text),
});

const events: Record<string, PeerEvent> = {
  o: output('stdout', 'one\ntw'),
  p: output('stdout', 'o\n'),
  e: output('stderr', 'oh\n'),
  x: { kind: 'exited', exitCode: 0 },
  k: { kind: 'exited', exitCode: 137, signal: 'SIGKILL' },
  c: { kind: 'exited', exitCode: 137 },
  f: { kind: 'failed', reason: 'no such file' },
  z: { kind: 'closed' },
};

const emitted = {
  A: { kind: 'line', line: 'one' },
  B: { kind: 'line', line: 'two' },
  G: { kind: 'log', line: 'oh' },
  X: { kind: 'ended', trouble: '', exitCode: 0 },
  K: { kind: 'ended', trouble: 'the server was ended by SIGKILL', exitCode: 137, signal: 'SIGKILL' },
  C: { kind: 'ended', trouble: 'the server ended with exit code 137', exitCode: 137 },
  F: { kind: 'ended', trouble: 'the server could not be started: no such file' },
};

describe('serverProcess', () => {
  it(
    'emits lines, log and end, each as it comes',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot('-o-e-p-x-z|', events);
      const expected = '  -A-G-B-X--|';
      expectObservable(serverProcess(() => event$)(NEVER)).toBe(expected, emitted);
    }),
  );

  it(
    'reports how a server ended that failed',
    marbles(({ hot, expectObservable }) => {
      expectObservable(serverProcess(() => hot('-k-z|', events))(NEVER)).toBe('-K--|', emitted);
      expectObservable(serverProcess(() => hot('-c-z|', events))(NEVER)).toBe('-C--|', emitted);
      expectObservable(serverProcess(() => hot('-(f|)', events))(NEVER)).toBe('-(F|)', emitted);
    }),
  );

  it(
    'hands its lines to the process',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot('-a-b-|');
      expectObservable(line$.pipe(serverProcess((in$) => in$ as never))).toBe('-----|');
      expectSubscriptions(line$.subscriptions).toBe('^----!');
    }),
  );
});

const request = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('withProcessId', () => {
  it('names this process to a language server, and leaves the rest as it was', () => {
    const line = request('initialize', { processId: 7, rootUri: 'file:///a' });
    expect(JSON.parse(withProcessId(line, 42))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: 42, rootUri: 'file:///a' },
    });
  });

  it.each([
    ['another request', request('shutdown', { processId: 7 })],
    ['a client without a process', request('initialize', { processId: null })],
    ['a client of another protocol', request('initialize', { clientInfo: { name: '"processId"' } })],
    ['no params', request('initialize', ['processId'])],
    ['a notification', '{"jsonrpc":"2.0","method":"initialize","params":{"processId":7}}'],
    ['no message', '{"processId":7'],
  ])('leaves %s alone', (_, line) => {
    expect(withProcessId(line, 42)).toBe(line);
  });
});
