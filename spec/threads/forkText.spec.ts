import { forkText } from '../../src/threads/forkText';
import { ThreadError } from '../../src/threads/threadError';

const fork = (text: string) =>
  forkText(text, { id: 'new', startedMs: 1_000, from: { id: 'old', path: '/r' } }).split('\n');
const head = JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id: 'old', cwd: '/w' } });

describe('forkText', () => {
  it('names the new thread in its first line, and keeps all whole lines after it', () => {
    const [first = '', ...rest] = fork(`${head}\n{"type":"moon"}\n{"cut`);
    const own = { id: 'new', session_id: 'new', timestamp: '1970-01-01T00:00:01.000Z', forked_from_id: 'old' };
    expect(JSON.parse(first)).toEqual({
      timestamp: '1970-01-01T00:00:01.000Z',
      type: 'session_meta',
      payload: { cwd: '/w', ...own },
    });
    expect(rest).toEqual(['{"type":"moon"}', '']);
  });

  it('names the new thread where the members stand in the line itself, as of 0.28.0', () => {
    const [first = ''] = fork(`${JSON.stringify({ id: 'old', timestamp: 't', instructions: null })}\n`);
    expect(JSON.parse(first)).toMatchObject({ id: 'new', instructions: null, forked_from_id: 'old' });
  });

  it('throws for a text that is no rollout', () => {
    expect(() => fork('{"a":1}\n')).toThrow(
      new ThreadError('The thread old cannot be forked: /r does not begin as a rollout.'),
    );
  });
});
