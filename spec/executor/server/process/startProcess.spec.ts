import { concat, NEVER, of } from 'rxjs';
import type { Backend, Started } from '../../../../src/executor/backend';
import { READ_ONLY } from '../../../../src/executor/remote/execSandbox';
import type { Ended } from '../../../../src/executor/sandbox/isLikelyDenied';
import { processTable } from '../../../../src/executor/server/process/processTable';
import { followSandbox, startProcess, toStart } from '../../../../src/executor/server/process/startProcess';
import { checkExecParams } from '../../../../src/protocol/exec/checkExecParams';
import { StartParams } from '../../../../src/protocol/exec/params';
import type { ProcessEvent, ProcessSpec } from '../../../../src/protocol/exec/process';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { closed, exited, failed, gap, output } from '../../events';
import { calm, LIMITS, startOf } from '../support';

const events: Record<string, Started | ProcessEvent> = {
  s: { kind: 'started', process: calm },
  o: output(1, 'a'),
  g: gap(3, 2),
  x: exited(4, 7),
  z: closed(5),
  f: failed(6, 'lost'),
  n: failed(1, 'prog: No such file or directory (os error 2)'),
};
const sent = (name: string, params: object) => ({
  kind: 'notification',
  method: `process/${name}`,
  params: { processId: 'p', ...params },
});
const outputs = {
  S: { kind: 'result', result: { processId: 'p' } },
  O: sent('output', { seq: 1, stream: 'stdout', chunk: 'YQ==' }),
  X: sent('exited', { seq: 4, exitCode: 7 }),
  Z: sent('closed', { seq: 5 }),
  F: sent('closed', { seq: 6 }),
};
const TEXT = 'No such file or directory (os error 2)';
const NOT_STARTED = new RpcError(INTERNAL_ERROR, TEXT, { reason: `prog: ${TEXT}` });
const NOTHING = 'the process closed before it started';

describe('startProcess', () => {
  it(
    'sends the response alone if events are stored, and follows the process as ever',
    marbles(({ cold, expectObservable, flush }) => {
      const table = processTable(LIMITS);
      const deps = { limits: LIMITS, environment: {}, isLikelyDenied: () => false, events: 'stored' as const };
      const backendFor = () => ({ start: () => cold<Started | ProcessEvent>('-s-o-x-z---', events) });
      expectObservable(startProcess({ ...deps, backendFor }, table)(startOf('p')), '---------!').toBe('-S', outputs);
      flush();
      expect(table.find('p')).toBeUndefined();
    }),
  );

  it.each<[string, object, object]>([
    ['what keeps a process for which no sandbox is asked', {}, { keptBy: { text: 'only /w', network: 'closed' } }],
    ['nothing of it for one with a sandbox of its own', { sandbox: READ_ONLY }, {}],
  ])('sends %s', (_, own, more) => {
    const keptBy = { text: 'only /w', network: 'closed' as const };
    const deps = { limits: LIMITS, environment: {}, isLikelyDenied: () => false, keptBy };
    const backendFor = () => ({ start: () => concat(of(events.s as Started), NEVER) });
    const seen: unknown[] = [];
    const start = startProcess({ ...deps, backendFor }, processTable(LIMITS));
    start({ ...startOf('p'), ...own }).subscribe((output) => seen.push(output));
    expect(seen).toEqual([{ kind: 'result', result: { processId: 'p', ...more } }]);
  });

  it.each<[string, string, string, RpcError | undefined]>([
    ['sends the response, then each event; a gap shows in the numbers', '-s-o-g-x-z---|', '-S-O---X-Z---|', undefined],
    ['sends the close of a process that was lost', '            -s-f|', '          -S-F|', undefined],
    ['fails where the process does not start', '                -n|', '            -#', NOT_STARTED],
    [
      'fails where it closes before it starts',
      '                -z|',
      '            -#',
      new RpcError(INTERNAL_ERROR, NOTHING, { reason: NOTHING }),
    ],
    ['sends nothing for one that is still starting', '          -', '             -', undefined],
  ])('%s', (_, life, expected, error) =>
    marbles(({ cold, expectObservable, flush }) => {
      const table = processTable(LIMITS);
      const specs: ProcessSpec[] = [];
      const start: Backend['start'] = (spec) => {
        specs.push(spec);
        return cold(life.trim(), events);
      };
      const run = startProcess(
        { backendFor: () => ({ start }), limits: LIMITS, environment: {}, isLikelyDenied: () => false },
        table,
      );
      expectObservable(run(startOf('p'))).toBe(expected.trim(), outputs, error);
      flush();
      expect(specs).toEqual([expect.objectContaining({ argv: ['prog'], keepMs: LIMITS.keepMs })]);
      expect(table.find('p') === undefined).toBe(life.trim() !== '-');
    })(),
  );

  it(
    'ends the process when it is unsubscribed, and frees its id',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const table = processTable(LIMITS);
      const life$ = cold('-s', events);
      const run = startProcess(
        { backendFor: () => ({ start: () => life$ }), limits: LIMITS, environment: {}, isLikelyDenied: () => false },
        table,
      );
      expectObservable(run(startOf('p')), '^--!').toBe('-S', outputs);
      expectSubscriptions(life$.subscriptions).toBe('^--!');
      flush();
      expect(table.find('p')).toBeUndefined();
    }),
  );

  it(
    'fails if the process was terminated before it started',
    marbles(({ cold, expectObservable }) => {
      const table = processTable(LIMITS);
      const backend = { start: () => cold('-s', events) };
      const run = startProcess(
        { backendFor: () => backend, limits: LIMITS, environment: {}, isLikelyDenied: () => false },
        table,
      );
      const out$ = run(startOf('p'));
      table.setPhase('p', { kind: 'cancelled' });
      expectObservable(out$).toBe('-#', {}, new RpcError(INVALID_REQUEST, 'process p start was cancelled'));
    }),
  );

  it(
    'names the sandbox, and whether it stopped the process',
    marbles(({ cold, expectObservable, flush }) => {
      const table = processTable(LIMITS);
      const sandbox = { type: 'linuxSeccomp', network: 'closed' } as const;
      const life = cold<Started | ProcessEvent>('-s-x-', { ...events, s: { kind: 'started', process: calm, sandbox } });
      const deps = {
        backendFor: () => ({ start: () => life }),
        limits: LIMITS,
        environment: {},
        isLikelyDenied: () => true,
      };
      expectObservable(startProcess(deps, table)(startOf('p'))).toBe('-S-X-', {
        S: { kind: 'result', result: { processId: 'p', sandboxType: 'linuxSeccomp' } },
        X: sent('exited', { seq: 4, exitCode: 7, sandboxDenied: true }),
      });
      flush();
    }),
  );

  it('refuses an id that is taken', () => {
    const run = startProcess(
      { backendFor: () => ({ start: () => NEVER }), limits: LIMITS, environment: {}, isLikelyDenied: () => false },
      processTable(LIMITS),
    );
    run(startOf('p'));
    expect(() => run(startOf('p'))).toThrow('process p already exists');
  });
});

const environment = { HOME: '/h', PATH: '/p', A: '1', TMPDIR: '/t' };
const start = (own: Record<string, unknown> = {}) =>
  toStart({ environment }, checkExecParams(StartParams(), startOf('p', { cwd: 'file:///w%20o', ...own })));
const policy = (own: object) => ({
  inherit: 'core',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
  ...own,
});
const spec = { argv: ['prog'], cwd: '/w o', env: {} };

describe('toStart', () => {
  it('is a program to start in an exact environment', () => {
    expect(start({ env: { B: '2' } })).toEqual({
      processId: 'p',
      permissions: undefined,
      needsWriteId: true,
      spec: { ...spec, env: { B: '2' } },
    });
  });

  it.each<[object, object]>([
    [{ arg0: 'name' }, { ...spec, arg0: 'name' }],
    [{ tty: true }, { ...spec, tty: true }],
    [{ pipeStdin: true }, { ...spec, stdin: 'pipe' }],
    [{ grace: { inputMs: 5, termMs: 1e12 } }, { ...spec, grace: { inputMs: 5, termMs: 1_073_741_823 } }],
    [
      { env: { HOME: '/own' }, envPolicy: policy({}) },
      { argv: ['prog'], cwd: '/w o', env: { HOME: '/own', PATH: '/p', TMPDIR: '/t' } },
    ],
    [{ envPolicy: policy({ inherit: 'none' }) }, spec],
    [{ envPolicy: policy({ inherit: 'all', includeOnly: ['A'] }) }, { ...spec, env: { A: '1' } }],
  ])('takes %j', (own, expected) => {
    expect(start(own as Record<string, unknown>).spec).toEqual(expected);
  });

  it('takes a plain path for that of a client whose writes have no ids', () => {
    expect(start({ cwd: '/w' })).toMatchObject({ needsWriteId: false, spec: { cwd: '/w' } });
  });

  it('has the permissions of a sandbox', () => {
    const root = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
    const file_system = { type: 'restricted', entries: [root] };
    const sandbox = { permissions: { type: 'managed', file_system, network: 'restricted' }, cwd: 'file:///w' };
    expect(start({ sandbox }).permissions).toMatchObject({ network: 'closed' });
  });

  it.each([
    [{ argv: [] }, new RpcError(INVALID_PARAMS, 'argv must not be empty')],
    [{ argv: [''] }, new RpcError(INTERNAL_ERROR, 'missing program for pipe spawn')],
    [{ cwd: 'w' }, new RpcError(INVALID_PARAMS, 'path is not absolute: w')],
  ])('refuses %j', (own, error) => {
    expect(() => start(own)).toThrow(error);
  });
});

describe('followSandbox', () => {
  const sandbox = { type: 'linuxSeccomp', network: 'closed' } as const;
  const output = (stream: 'stdout' | 'stderr' | 'pty', text: string): ProcessEvent => ({
    kind: 'output',
    seq: 1,
    stream,
    chunk: Buffer.from(text),
  });
  const events: Record<string, Started | ProcessEvent> = {
    s: { kind: 'started', process: calm, sandbox },
    u: { kind: 'started', process: calm },
    o: output('stdout', 'out'),
    e: output('stderr', 'err'),
    p: output('pty', 'seen'),
    x: exited(2, 1),
    z: closed(3),
  };
  const followed = (denied: boolean) =>
    Object.fromEntries(
      Object.entries(events).map(([letter, event]) => [
        letter.toUpperCase(),
        expect.objectContaining({ event, sandbox: { ...sandbox, denied } }),
      ]),
    );

  describe('followSandbox', () => {
    const follow = (life: string, isLikelyDenied: (end: Ended) => boolean) => {
      const ends: Ended[] = [];
      const shown: unknown[] = [];
      marbles(({ cold, flush }) => {
        const judge = (end: Ended) => {
          ends.push(end);
          return isLikelyDenied(end);
        };
        cold(life, events)
          .pipe(followSandbox({ isLikelyDenied: judge }))
          .subscribe((one) => shown.push(one));
        flush();
      })();
      return { ends, shown };
    };

    it('asks at the exit, by what the process wrote', () => {
      const { ends, shown } = follow('s-o-e-p-x-z|', () => true);
      expect(ends).toEqual([{ exitCode: 1, stdout: 'outseen', stderr: 'err', network: 'closed' }]);
      const [before, after] = [followed(false), followed(true)];
      expect(shown).toEqual([before.S, before.O, before.E, before.P, after.X, after.Z]);
    });

    it('asks nothing of a process without a sandbox', () => {
      const { ends, shown } = follow('u-o-x-z|', () => true);
      expect([ends, shown.some((one) => 'sandbox' in (one as object))]).toEqual([[], false]);
    });

    it('keeps the end of a long output', () => {
      const long = { ...events, o: output('stdout', 'a'.repeat(10_000)) };
      const ends: Ended[] = [];
      marbles(({ cold, flush }) => {
        const isLikelyDenied = (end: Ended) => ends.push(end) > 1;
        cold('s-o-p-x|', long).pipe(followSandbox({ isLikelyDenied })).subscribe();
        flush();
      })();
      expect([ends[0]?.stdout.length, ends[0]?.stdout.endsWith('aseen')]).toEqual([8_192, true]);
    });
  });
});
