import { EMPTY, from, of, throwError } from 'rxjs';
import { forkLines } from '../../src/threads/forkLines';
import { ThreadError } from '../../src/threads/threadError';
import { marbles } from '../support/marbles';

const forked = forkLines({ id: 'new', startedMs: 1_000, from: { id: 'old', path: '/r' } });
const head = JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id: 'old', cwd: '/w' } });

/** The lines of the fork of these. */
const fork = (...lines: string[]): string[] => {
  const texts: string[] = [];
  from(lines.map((line) => [line]))
    .pipe(forked)
    .subscribe((text) => texts.push(text));
  return texts.join('').split('\n');
};

describe('forkLines', () => {
  it('names the new thread in its first line, and keeps all whole lines after it', () => {
    const [first = '', ...rest] = fork(head, '{"type":"moon"}', '{"cut');
    const own = { id: 'new', session_id: 'new', timestamp: '1970-01-01T00:00:01.000Z', forked_from_id: 'old' };
    expect(JSON.parse(first)).toEqual({
      timestamp: '1970-01-01T00:00:01.000Z',
      type: 'session_meta',
      payload: { cwd: '/w', ...own },
    });
    expect(rest).toEqual(['{"type":"moon"}', '']);
  });

  it('names the new thread where the members stand in the line itself, as of 0.28.0', () => {
    const [first = ''] = fork(JSON.stringify({ id: 'old', timestamp: 't', instructions: null }));
    expect(JSON.parse(first)).toMatchObject({ id: 'new', instructions: null, forked_from_id: 'old' });
  });

  it(
    'emits a text as soon as it has a million characters',
    marbles(({ cold, expectObservable }) => {
      const long = `"${'x'.repeat(1_048_576)}"`;
      const lines$ = cold('abc--c|', { a: [head, '{}'], b: [long, long], c: ['{}'] });
      const texts$ = lines$.pipe(forked);
      const ends = { A: expect.stringContaining(`\n{}\n${long}\n`), B: `${long}\n`, C: '{}\n{}\n' };
      expectObservable(texts$).toBe('-AB---(C|)', ends);
    }),
  );

  it(
    'errors with the lines, and for lines that are no rollout',
    marbles(({ cold, expectObservable }) => {
      const none = new ThreadError('The thread old cannot be forked: /r does not begin as a rollout');
      expectObservable(EMPTY.pipe(forked)).toBe('#', {}, none);
      expectObservable(of(['{"a":1}', '{}']).pipe(forked)).toBe('#', {}, none);
      expectObservable(throwError(() => 'gone').pipe(forked)).toBe('#', {}, 'gone');
      expectObservable(cold('-a----', { a: [head] }).pipe(forked)).toBe('------');
    }),
  );
});
