import { EMPTY, throwError } from 'rxjs';
import type { Backend, Started } from '../../../src/executor/backend';
import type { Entered } from '../../../src/executor/sandbox/enterSandbox';
import { FolderMoved, SandboxError } from '../../../src/executor/sandbox/sandbox';
import { type SandboxBackendDeps, sandboxBackend } from '../../../src/executor/sandbox/sandboxMaker';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { startsInTurns } from '../../../src/streams/pausing';
import { marbles } from '../../support/marbles';

const spec: ProcessSpec = { argv: ['ls'], cwd: '/w', env: {} };
const sandbox: Entered['sandbox'] = { writable: [], readOnly: [], hidden: [], network: 'closed' };

const EVENTS: Record<string, ProcessEvent> = {
  o: { kind: 'output', seq: 1, stream: 'stdout', chunk: new Uint8Array(1) },
  x: { kind: 'exited', seq: 2, exitCode: 0 },
  c: { kind: 'closed', seq: 3 },
  f: { kind: 'failed', seq: 1, reason: 'gone' },
};

/** `steps` lists what was done, in its order. */
const backendOf = (start: Backend['start'], own: Partial<SandboxBackendDeps> = {}) => {
  const steps: string[] = [];
  const backend = sandboxBackend({
    backend: {
      start: (asked) => {
        steps.push(`start ${asked.argv.join(' ')}`);
        return start(asked);
      },
    },
    *enter() {
      yield;
      steps.push('enter');
      return { sandbox, release: () => void steps.push('leave') };
    },
    *wrap(_, asked) {
      yield;
      return { spec: { ...asked, argv: ['wrap', ...asked.argv] }, release: () => void steps.push('release') };
    },
    type: 'linuxSeccomp',
    cannotRun: () => undefined,
    later: (action) => {
      steps.push('later');
      action();
    },
    starts: startsInTurns({ now: () => 0, soon: setImmediate }),
    ...own,
  });
  return { backend, steps };
};

describe('sandboxBackend', () => {
  it(
    'starts the wrapped process, emits its events, and releases everything when it has closed',
    marbles(({ cold, expectObservable, flush }) => {
      const source = '  -o-x-c--|';
      const { backend, steps } = backendOf(() => cold(source, EVENTS));
      expectObservable(backend.start(spec)).toBe(source, EVENTS);
      flush();
      expect(steps).toEqual(['enter', 'start wrap ls', 'release', 'leave', 'later']);
    }),
  );

  it(
    'removes what its mounts left on the disk once it writes something, and at its end',
    marbles(({ cold, expectObservable, flush }) => {
      const p: ProcessEvent = { ...EVENTS.o, seq: 2 } as ProcessEvent;
      const { backend, steps } = backendOf(() => cold('-op-c|', { ...EVENTS, p }), {
        *enter() {
          yield;
          return { sandbox, release: () => {}, tidy: () => void steps.push('tidy') };
        },
      });
      expectObservable(backend.start(spec)).toBe('-op-c|', { ...EVENTS, p });
      flush();
      expect(steps).toEqual(['start wrap ls', 'tidy', 'release', 'tidy', 'later']);
    }),
  );

  it(
    'names the sandbox of a process that has started',
    marbles(({ cold, expectObservable }) => {
      const started = { kind: 'started' as const, process: {} as Started['process'] };
      const { backend } = backendOf(() => cold('-s-', { s: started }));
      expectObservable(backend.start(spec)).toBe('-S-', {
        S: { ...started, sandbox: { type: 'linuxSeccomp', network: 'closed' } },
      });
    }),
  );

  it(
    'gives everything up later when the process is left',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const process$ = cold('-o-------', EVENTS);
      const { backend, steps } = backendOf(() => process$);
      expectObservable(backend.start(spec), '---!').toBe('-o--', EVENTS);
      expectSubscriptions(process$.subscriptions).toBe('^--!');
      flush();
      expect(steps).toEqual(['enter', 'start wrap ls', 'later', 'release', 'leave']);
    }),
  );

  it(
    'gives everything up when the process could not be started',
    marbles(({ cold, expectObservable, flush }) => {
      const { backend, steps } = backendOf(() => cold('(f|)', EVENTS));
      expectObservable(backend.start(spec)).toBe('(f|)', EVENTS);
      flush();
      expect(steps).toEqual(['enter', 'start wrap ls', 'release', 'leave', 'later']);
    }),
  );

  it(
    'makes nothing for a process that cannot run',
    marbles(({ cold, expectObservable, flush }) => {
      const { backend, steps } = backendOf(() => cold('|'), { cannotRun: ({ argv }) => `${argv[0]}: not there` });
      expectObservable(backend.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason: 'ls: not there' } });
      flush();
      expect(steps).toEqual([]);
    }),
  );

  it.each<[string, Partial<SandboxBackendDeps>, string[]]>([
    [
      'there is no sandbox',
      {
        enter: () => {
          throw new SandboxError('moved');
        },
      },
      [],
    ],
    [
      'the process cannot be wrapped',
      {
        wrap: () => {
          throw new SandboxError('moved');
        },
      },
      ['enter', 'leave'],
    ],
  ])('starts nothing if %s', (_, own, expected) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { backend, steps } = backendOf(() => cold('|'), own);
      const reason = 'the sandbox could not be made: moved';
      expectObservable(backend.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason } });
      flush();
      expect(steps).toEqual(expected);
    })();
  });

  it.each([
    ['starts the process if a folder that was moved meanwhile is passed over at another look', 3, '(o|)'],
    ['starts nothing if folders are moved at each look', 4, '(f|)'],
  ])('%s', (_, moves, expected) => {
    marbles(({ cold, expectObservable, flush }) => {
      let left = moves;
      const { backend, steps } = backendOf(() => cold('(o|)', EVENTS), {
        *wrap(_, asked) {
          yield;
          left -= 1;
          if (left >= 0) throw new FolderMoved('/tmp/x is gone');
          return { spec: asked, release: () => {} };
        },
      });
      const f = { kind: 'failed', seq: 1, reason: 'the sandbox could not be made: /tmp/x is gone' };
      expectObservable(backend.start(spec)).toBe(expected, { ...EVENTS, f });
      flush();
      expect(steps.filter((step) => step === 'enter')).toHaveLength(4);
      expect(steps.filter((step) => step === 'leave')).toHaveLength(4);
    })();
  });

  it('starts nothing if the process is left while its sandbox is made in turns, and gives up what there is of it', () => {
    const turns: (() => void)[] = [];
    let nowMs = 0;
    const { backend, steps } = backendOf(() => EMPTY, {
      starts: startsInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) }),
      *wrap() {
        nowMs += 10;
        yield;
        throw new Error('it goes on');
      },
    });
    const subscription = backend.start(spec).subscribe();
    expect(steps).toEqual(['enter']);
    subscription.unsubscribe();
    for (const run of turns) run();
    expect(steps).toEqual(['enter', 'leave']);
  });

  it(
    'makes a sandbox of its own for each subscription, and none before',
    marbles(({ cold, expectObservable, flush }) => {
      const { backend, steps } = backendOf(() => cold('c|', EVENTS));
      const process$ = backend.start(spec);
      expect(steps).toEqual([]);
      expectObservable(process$).toBe('c|', EVENTS);
      expectObservable(process$).toBe('c|', EVENTS);
      flush();
      expect(steps.filter((step) => step === 'enter')).toHaveLength(2);
    }),
  );

  it(
    'fails a process if the system lacks what a sandbox needs',
    marbles(({ cold, expectObservable }) => {
      const wrap = () => {
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      };
      const { backend, steps } = backendOf(() => cold('|'), { wrap });
      const reason = 'the sandbox could not be made: EMFILE: too many open files; free some of what has run out';
      expectObservable(backend.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason } });
      expect(steps).toEqual([]);
    }),
  );

  it(
    'does not take a bug for a missing sandbox',
    marbles(({ cold, expectObservable }) => {
      const bug = new TypeError('bug');
      const enter = () => {
        throw bug;
      };
      expectObservable(backendOf(() => cold('|'), { enter }).backend.start(spec)).toBe('#', {}, bug);
      expectObservable(backendOf(() => throwError(() => bug)).backend.start(spec)).toBe('#', {}, bug);
    }),
  );
});
