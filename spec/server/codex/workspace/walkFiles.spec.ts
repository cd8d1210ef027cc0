import type { FolderEntry } from '../../../../src/server/codex';
import { walkFiles } from '../../../../src/server/codex/workspace/walkFiles';
import { marbles } from '../../../support/marbles';

const file = (name: string): FolderEntry => ({ name, kind: 'file' });
const folder = (name: string): FolderEntry => ({ name, kind: 'folder' });

const tree: { '/r': FolderEntry[]; '/r/d': FolderEntry[] } = {
  '/r': [file('a'), folder('d'), folder('.git'), folder('out'), { name: 'link', kind: 'other' }],
  '/r/d': [file('b'), file('c.log')],
};
const ignores: Record<string, string> = { '/r/.gitignore': 'out/', '/r/d/.gitignore': '*.log' };

describe('walkFiles', () => {
  it(
    'emits files as their folders are read, without what is left out',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [r$, d$] = [cold(' --(r|)', { r: tree['/r'] }), cold('--(d|)', { d: tree['/r/d'] })];
      const walk$ = walkFiles({
        list: (path) => (path === '/r' ? r$ : d$),
        readText: (path) => ignores[path],
      })('/r');
      expectObservable(walk$).toBe('--a-(b|)', { a: 'a', b: 'd/b' });
      expectSubscriptions(d$.subscriptions).toBe('--^-!');
    }),
  );

  it(
    'reads nothing more when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const r$ = cold('--r-', { r: tree['/r'] });
      expectObservable(walkFiles({ list: () => r$, readText: () => undefined })('/r'), '^!').toBe('');
      expectSubscriptions(r$.subscriptions).toBe('^!');
    }),
  );
});
