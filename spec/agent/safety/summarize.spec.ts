import { summarize } from '../../../src/agent/safety/parseCommand';

const read = (name: string) => ({ type: 'read', name });
const list = (path: string | null) => ({ type: 'list_files', path });
const search = (query: string | null, path: string | null) => ({ type: 'search', query, path });
const unknown = { type: 'unknown' };

describe('summarize', () => {
  it.each<[string, object]>([
    ['cat a/b.ts', read('b.ts')],
    ['cat -- a', read('a')],
    ['cat a b', unknown],
    ['head -n 5 a', read('a')],
    ['head -n5 a', read('a')],
    ['head -n +5 a', unknown],
    ['tail -n +5 a', read('a')],
    ['tail -n x a', unknown],
    ['tail a', unknown],
    ['sed -n 1,5p a', read('a')],
    ['sed -i 1,5p a', unknown],
    ['sed -n x a', unknown],
    ['nl -w 3 a', read('a')],
    ['nl', unknown],
    ['ls', list(null)],
    ['ls -l --color never a/src', list('a')],
    ['grep -r x a/b', search('x', 'b')],
    ['grep x | wc a', search('x', null)],
    ['rg --files a', search(null, 'a')],
    ['rg -A 3 x', search('3', 'x')],
    ['fd -t f x a', search('x', 'a')],
    ['fd ./a', search(null, 'a')],
    ['find a -name x -type f', search('x', 'a')],
    ['find ! -type f', search(null, 'f')],
    ['find a -name', search(null, 'a')],
    ['npm test', unknown],
    ['', unknown],
  ])('of %s', (line, summary) => {
    const words = line === '' ? [] : line.split(' ');
    expect(summarize(words)).toEqual({ ...summary, cmd: expect.any(String) });
  });

  it('has the command as it would be typed', () => {
    expect(summarize(['cat', 'a b']).cmd).toBe("cat 'a b'");
  });
});
