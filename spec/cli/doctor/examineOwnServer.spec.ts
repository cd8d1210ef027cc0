import { concat, defer, EMPTY, NEVER, of, Subject } from 'rxjs';
import { examineOwnServer } from '../../../src/cli/doctor/checkMachine';
import type { Backend, Started } from '../../../src/executor/backend';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';

/** A server that gives these results by method, a frame after it is asked; it answers nothing else. */
const serverWith = (
  results: Record<string, object>,
  delayed: (event: ProcessEvent, emit: (event: ProcessEvent) => void) => void,
): Backend => ({
  start: () =>
    defer(() => {
      const event$ = new Subject<ProcessEvent>(); // the wire from its input to its output
      let seq = 0;
      const answer = (line: string) => {
        const { id, method } = JSON.parse(line);
        const result = results[method];
        if (result === undefined) return;
        const chunk = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
        delayed({ kind: 'output', stream: 'stdout', chunk, seq: ++seq } as ProcessEvent, (event) => event$.next(event));
      };
      const write = (bytes: Uint8Array) =>
        defer(() => {
          for (const line of Buffer.from(bytes).toString().trim().split('\n')) answer(line);
          return of('accepted' as const);
        });
      const process = { write, closeStdin: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
      return concat(of({ kind: 'started', process } as unknown as Started), event$);
    }),
});

const processInfo = { cwd: '/', env: {} } as never;
const deps = { argv: ['codex-rx', 'mcp-server'], processInfo, log: silentLog };
const HANDSHAKE = { initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } };

describe('examineOwnServer', () => {
  it.each([
    ['names the tools', { tools: [{ name: 'codex' }, { name: 'codex-reply' }] }, 'codex, codex-reply'],
    ['names a tool of no shape by a question mark', { tools: [7] }, '?'],
    ['names none where there is no list', {}, ''],
  ])('%s, once the server has answered twice', (_, tools, names) =>
    marbles(({ cold, expectObservable }) => {
      const backend = serverWith({ ...HANDSHAKE, 'tools/list': tools }, (event, emit) => {
        cold('-e', { e: event }).subscribe(emit);
      });
      const found = { text: `answers, with the tools ${names}`, ms: expect.any(Number) };
      expectObservable(examineOwnServer({ ...deps, backend })).toBe('--(f|)', { f: found });
    })(),
  );

  it(
    'errors where it answers nothing for ten seconds, and ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const process = { write: () => of('accepted'), closeStdin: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
      const life$ = cold<Started | ProcessEvent>('s', { s: { kind: 'started', process } as unknown as Started });
      const late = expect.objectContaining({ name: 'TimeoutError' });
      expectObservable(examineOwnServer({ ...deps, backend: { start: () => life$ } })).toBe('10s #', {}, late);
      expectSubscriptions(life$.subscriptions).toBe('^ 9999ms !');
    }),
  );

  it(
    'errors where it cannot be run',
    marbles(({ cold, expectObservable }) => {
      const failed = { kind: 'failed', reason: 'No such file or directory' } as unknown as ProcessEvent;
      const none = expect.objectContaining({ message: 'The server could not be run: No such file or directory.' });
      const backend: Backend = { start: () => cold<ProcessEvent>('-f|', { f: failed }) };
      expectObservable(examineOwnServer({ ...deps, backend })).toBe('--#', {}, none);
    }),
  );
});
