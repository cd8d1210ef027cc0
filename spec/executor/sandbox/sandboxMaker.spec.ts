import { of } from 'rxjs';
import type { Backend } from '../../../src/executor/backend';
import { foundOnce, sandboxMaker } from '../../../src/executor/sandbox/sandboxMaker';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { startsInTurns } from '../../../src/streams/pausing';
import { marbles } from '../../support/marbles';

const spec: ProcessSpec = { argv: ['ls'], cwd: '/w', env: {} };
const X: ProcessEvent = { kind: 'exited', seq: 1, exitCode: 0 };
const nothing = { writable: [], readOnly: [], hidden: [], network: 'closed' as const };

const making = (...places: (string | undefined)[]) => {
  const started: string[] = [];
  const logged: string[] = [];
  const backend: Backend = {
    start: ({ argv }) => {
      started.push(argv.at(-1) as string);
      return of(X);
    },
  };
  const maker = sandboxMaker({
    backend,
    find: (name) => (name === 'bwrap' && places.length > 1 ? places.shift() : places[0]),
    holdBytes: () => ({ path: '/kept', release: () => {} }),
    mountTable: () => '1 1 8:1 / / rw - ext4 /dev/sda rw',
    pinPath: () => ({ path: '/pinned', opens: true, release: () => {} }),
    platform: 'linux',
    arch: 'x64',
    cannotRun: () => undefined,
    later: (action) => action(),
    starts: startsInTurns({ now: () => 0, soon: setImmediate }),
    log: (level, message) => void logged.push(`${level}: ${message}`),
  });
  const inside = maker.inside(backend, function* () {
    yield;
    return { sandbox: nothing, release: () => {} };
  });
  return { inside, started, logged };
};

describe('sandboxMaker', () => {
  it('tries once what makes sandboxes, and runs processes in them', () => {
    const { inside, started } = making('/usr/bin/bwrap');
    marbles(({ expectObservable }) => {
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
    })();
    expect(started).toEqual([':', 'ls', 'ls']);
  });

  it('fails processes with the remedy, and logs it once', () => {
    const { inside, started, logged } = making(undefined);
    const reason = expect.stringMatching(/^there is no sandbox on this system, because bubblewrap is not installed/);
    marbles(({ expectObservable }) => {
      expectObservable(inside.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason } });
      expectObservable(inside.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason } });
    })();
    expect(started).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  it('looks again while there is none, as a person may have installed it', () => {
    const { inside, started } = making(undefined, '/usr/bin/bwrap');
    marbles(({ expectObservable }) => {
      expectObservable(inside.start(spec)).toBe('(f|)', { f: expect.objectContaining({ kind: 'failed' }) });
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
    })();
    expect(started).toEqual([':', 'ls', 'ls']);
  });

  it('looks again when it is gone, and fails processes with the remedy', () => {
    const { inside, started } = making('/usr/bin/bwrap', '/usr/bin/bwrap', undefined);
    const reason = expect.stringContaining('bubblewrap is not installed');
    marbles(({ expectObservable }) => {
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
      expectObservable(inside.start(spec)).toBe('(x|)', { x: X });
      expectObservable(inside.start(spec)).toBe('(f|)', { f: { kind: 'failed', seq: 1, reason } });
    })();
    expect(started).toEqual([':', 'ls', 'ls']);
  });
});

describe('foundOnce', () => {
  const ready = { kind: 'ready' } as const;
  const missing = { kind: 'missing', remedy: 'install it' } as const;
  it(
    'looks once for all who ask meanwhile and later; who leaves early ends the look',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const look$ = cold('--(r|)', { r: ready });
      const found$ = foundOnce(look$);
      expectObservable(found$, '^-!').toBe('---');
      expectObservable(found$, '---^').toBe('-----(r|)', { r: ready });
      expectObservable(found$, '----^').toBe('-----(r|)', { r: ready });
      expectObservable(found$, '---------^').toBe('---------(r|)', { r: ready });
      expectSubscriptions(look$.subscriptions).toBe(['^-!', '---^-!']);
    }),
  );

  it(
    'looks again for who asks after nothing was found',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const look$ = cold('--(m|)', { m: missing });
      const found$ = foundOnce(look$);
      expectObservable(found$).toBe('--(m|)', { m: missing });
      expectObservable(found$, '-^').toBe('--(m|)', { m: missing });
      expectObservable(found$, '---^').toBe('-----(m|)', { m: missing });
      expectSubscriptions(look$.subscriptions).toBe(['^-!', '---^-!']);
    }),
  );
});
