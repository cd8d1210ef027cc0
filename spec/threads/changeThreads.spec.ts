import type { Observable } from 'rxjs';
import { changeThreads } from '../../src/threads/fileThreads';
import type { RolloutFile } from '../../src/threads/listing/rolloutFiles';
import { ThreadError } from '../../src/threads/threadError';
import { marbles } from '../support/marbles';
import { A, archivedPath, B, pathOf, placeOf, start } from './support';

const rest = '{"type":"response_item","payload":{"unknown":1}}\n';
const summaryOf = (file: RolloutFile) => ({ ...file, preview: 'p' }) as never;
const summary = (own: Partial<RolloutFile>) => ({ id: A, startedMs: Date.UTC(2026, 10, 1), preview: 'p', ...own });

/** Changes of one thread, which is archived or not; what becomes of the files. */
const around = (path: string, text = start(A, rest)) => {
  const { place, files, locks } = placeOf({ [path]: text });
  return { files, locks, changes: changeThreads({ ...place, now: () => Date.UTC(2026, 10, 2) }, summaryOf) };
};
const emits = (change$: Observable<unknown>, expected: unknown) =>
  marbles(({ expectObservable }) => {
    expectObservable(change$).toBe('(S|)', { S: expected });
  })();
const errors = (change$: Observable<unknown>, message: string) =>
  marbles(({ expectObservable }) => {
    expectObservable(change$).toBe('#', {}, new ThreadError(message));
  })();

describe('archive', () => {
  it('moves a thread, and gives its lock back', () => {
    const { changes, files, locks } = around(pathOf(1, A));
    emits(changes.archive(A), summary({ path: archivedPath(1, A), archived: true }));
    expect([[...files.keys()], locks.size]).toEqual([[archivedPath(1, A)], 0]);
  });

  it('leaves one that is archived where it is', () => {
    const { changes, files } = around(archivedPath(1, A));
    emits(changes.archive(A), summary({ path: archivedPath(1, A), archived: true }));
    expect([...files]).toEqual([[archivedPath(1, A), start(A, rest)]]);
  });
});

describe('restore', () => {
  it('moves a thread back to the folder of its day', () => {
    const { changes, files } = around(archivedPath(1, A));
    emits(changes.restore(A), summary({ path: pathOf(1, A), archived: false }));
    expect([...files.keys()]).toEqual([pathOf(1, A)]);
  });

  it('errors for one that is not archived, and gives its lock back', () => {
    const { changes, files, locks } = around(pathOf(1, A));
    errors(
      changes.restore(A),
      `The thread ${A} is not archived, so it can be continued as it is; codex-rx threads lists it.`,
    );
    expect([[...files.keys()], locks.size]).toEqual([[pathOf(1, A)], 0]);
  });
});

describe('remove', () => {
  it('removes the file, and does nothing before it is subscribed', () => {
    const { changes, files } = around(pathOf(1, A));
    const removed$ = changes.remove(A);
    expect(files.size).toBe(1);
    emits(removed$, summary({ path: pathOf(1, A), archived: false }));
    expect(files.size).toBe(0);
  });
});

describe('fork', () => {
  const forked = { id: B, startedMs: Date.UTC(2026, 10, 2), path: pathOf(2, B), archived: false };
  const own = { session_id: B, timestamp: '2026-11-02T00:00:00.000Z', forked_from_id: A };

  it('writes the lines after a first line of its own, without one that is still being written', () => {
    const { changes, files } = around(pathOf(1, A), start(A, `${rest}{"type":`));
    emits(changes.fork(A, B), { ...forked, preview: 'p' });
    const [first = '', ...lines] = files.get(pathOf(2, B))?.split('\n') ?? [];
    expect(JSON.parse(first)).toEqual({
      timestamp: own.timestamp,
      type: 'session_meta',
      payload: { id: B, cwd: '/w', ...own },
    });
    expect(`${lines.join('\n')}`).toBe(rest);
    expect(files.get(pathOf(1, A))).toBe(start(A, `${rest}{"type":`));
  });

  it('writes the flat first line of 0.28.0', () => {
    const old = { id: A, timestamp: 't', instructions: null };
    const { changes, files } = around(pathOf(1, A), `${JSON.stringify(old)}\n${rest}`);
    emits(changes.fork(A, B), { ...forked, preview: 'p' });
    const [first = ''] = files.get(pathOf(2, B))?.split('\n') ?? [];
    expect(JSON.parse(first)).toEqual({ ...old, id: B, ...own });
  });

  it('errors for a file that does not begin as a rollout', () => {
    const { changes, files } = around(pathOf(1, A), `x\n${rest}`);
    errors(changes.fork(A, B), `The thread ${A} cannot be forked: ${pathOf(1, A)} does not begin as a rollout`);
    expect(files.size).toBe(1);
  });
});
