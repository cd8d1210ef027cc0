import { map, NEVER, of, throwError } from 'rxjs';
import type { Backend, Started } from '../../src/executor/backend';
import { type HeldFolder, inRealFolder } from '../../src/executor/inRealFolder';
import type { ProcessEvent, ProcessSpec } from '../../src/protocol/exec/process';
import { marbles } from '../support/marbles';

const spec: ProcessSpec = { argv: ['ls'], cwd: '/w/link', env: {} };
const decided: ProcessSpec = { ...spec, realCwd: '/real' };
const exited: ProcessEvent = { kind: 'exited', seq: 1, exitCode: 0 };
const failed = (reason: unknown): ProcessEvent => ({ kind: 'failed', seq: 1, reason: reason as string });

const around = (life: ReturnType<Backend['start']>) => {
  const started: ProcessSpec[] = [];
  const released: string[] = [];
  const held: HeldFolder = { path: '/held', release: () => released.push('/held') };
  const backend: Backend = {
    start: (spec) => {
      started.push(spec);
      return life;
    },
  };
  return { backend, held, started, released };
};

describe('inRealFolder', () => {
  it(
    'starts a process in the folder that is held, until it is over',
    marbles(({ cold, flush, expectObservable }) => {
      const hold$ = cold('                      --(h|)');
      const life$ = cold<Started | ProcessEvent>('  x-|', { x: exited });
      const expected = '                        --x-|';
      const { backend, held, started, released } = around(life$);
      const hold = (path: string) => (path === '/real' ? hold$.pipe(map(() => held)) : NEVER);
      expectObservable(inRealFolder(hold)(backend).start(decided)).toBe(expected, { x: exited });
      flush();
      expect([started, released]).toEqual([[{ ...spec, cwd: '/held' }], ['/held']]);
    }),
  );

  it(
    'waits for the folder, and releases it when the subscriber leaves',
    marbles(({ cold, flush, expectObservable }) => {
      const { backend, held, started, released } = around(NEVER);
      const hold = () => cold('--(h|)', { h: held });
      expectObservable(inRealFolder(hold)(backend).start(decided), '-----!').toBe('------');
      expectObservable(inRealFolder(hold)(backend).start(decided), '-!').toBe('------');
      flush();
      expect([started.length, released]).toEqual([1, ['/held']]);
    }),
  );

  it(
    'starts nothing if another folder or a link has taken its place, or nobody knows',
    marbles(({ expectObservable, flush }) => {
      const { backend, started } = around(NEVER);
      const lost = throwError(() => new Error('no answer'));
      expectObservable(inRealFolder(() => of(undefined))(backend).start(decided)).toBe('(f|)', {
        f: failed(expect.stringMatching(/^\/real is not a folder, or was replaced by a link/)),
      });
      const throwing = inRealFolder(() => {
        throw new Error('no answer');
      });
      expectObservable(throwing(backend).start(decided)).toBe('(f|)', {
        f: failed('/real could not be examined: no answer'),
      });
      expectObservable(inRealFolder(() => lost)(backend).start(decided)).toBe('(f|)', {
        f: failed('/real could not be examined: no answer'),
      });
      flush();
      expect(started).toEqual([]);
    }),
  );

  it('starts any other process as it is', () => {
    const { backend, started } = around(NEVER);
    inRealFolder(() => NEVER)(backend)
      .start(spec)
      .subscribe();
    expect(started).toEqual([spec]);
  });
});
