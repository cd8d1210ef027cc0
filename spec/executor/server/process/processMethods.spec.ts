import { concat, NEVER, of } from 'rxjs';
import type { Process } from '../../../../src/executor/backend';
import { processMethods } from '../../../../src/executor/server/execMethods';
import type { OutputPage } from '../../../../src/protocol/exec/process';
import { INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { calm, LIMITS, startOf } from '../support';

const page: OutputPage = { chunks: [], nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null };

/** The methods, of which a spec calls one after the other; `done` lists what is done with the process. */
const methodsOf = (phase: 'running' | 'starting', own: Partial<Process> = {}) => {
  const done: unknown[] = [];
  const process: Process = {
    ...calm,
    read: (from) => {
      done.push(from);
      return of(page);
    },
    signal: (name) => {
      done.push(name);
      return of(undefined);
    },
    ...own,
  };
  const start = () => (phase === 'running' ? concat(of({ kind: 'started' as const, process }), NEVER) : NEVER);
  const methods = processMethods({
    backendFor: () => ({ start }),
    limits: LIMITS,
    environment: {},
    isLikelyDenied: () => false,
  });
  const call = (name: string, params: object = {}) => {
    const outputs: unknown[] = [];
    const run = () => methods[`process/${name}`]?.({ processId: 'p', ...params });
    try {
      run()?.subscribe({ next: (output) => outputs.push(output), error: (error) => outputs.push(error) });
    } catch (error) {
      outputs.push(error);
    }
    return outputs;
  };
  call('start', startOf('p'));
  return { done, call };
};
const result = (value: unknown) => [{ kind: 'result', result: value }];

describe('processMethods', () => {
  it.each<[object, object]>([
    [{}, { afterSeq: 0, waitMs: 0 }],
    [
      { afterSeq: 3, waitMs: 5, maxBytes: 0 },
      { afterSeq: 3, waitMs: 5, maxBytes: 0 },
    ],
    [
      { afterSeq: null, waitMs: 1e12, maxBytes: null },
      { afterSeq: 0, waitMs: 1_073_741_823 },
    ],
  ])('reads with %j', (params, from) => {
    const { done, call } = methodsOf('running');
    expect(call('read', params)).toEqual(result({ ...page, sandboxDenied: false }));
    expect(done).toEqual([from]);
  });

  it('reads from no process that is unknown or starting', () => {
    const refused = (text: string) => [new RpcError(INVALID_REQUEST, text)];
    expect(methodsOf('running').call('read', { processId: 'q' })).toEqual(refused('unknown process id q'));
    expect(methodsOf('starting').call('read')).toEqual(refused('process id p is starting'));
  });

  it('signals a process, and takes one that is not there for done', () => {
    const { done, call } = methodsOf('running');
    expect(call('signal', { signal: 'interrupt' })).toEqual(result({}));
    expect(call('signal', { processId: 'q', signal: 'interrupt' })).toEqual(result({}));
    expect(done).toEqual(['interrupt']);
  });

  it('terminates a process, and reports whether it was running', () => {
    const { call } = methodsOf('running', { terminate: () => of(false) });
    expect(call('terminate')).toEqual(result({ running: false }));
    expect(call('terminate', { processId: 'q' })).toEqual(result({ running: false }));
  });

  it('terminates one that is still starting', () => {
    expect(methodsOf('starting').call('terminate')).toEqual(result({ running: true }));
  });

  it('writes to a process and closes its input', () => {
    const { call } = methodsOf('running');
    expect(call('write', { chunk: 'YQ==', writeId: '1' })).toEqual(result({ status: 'accepted' }));
    expect(call('closeStdin')).toEqual(result({ status: 'accepted' }));
  });
});
