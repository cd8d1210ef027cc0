import { sparseFolders } from '../../../src/executor/sandbox/enterSandbox';
import { memoryFiles } from './memoryFiles';

describe('sparseFolders', () => {
  it('shows folders, texts in Markdown, and links to them', () => {
    const files = memoryFiles({
      '/c': null,
      '/c/AGENTS.md': '',
      '/c/auth.json': '',
      '/c/auth.json.tmp': '',
      '/c/skills': null,
      '/c/skills/one': null,
      '/c/notes.md': { link: '/dots/notes.md' },
      '/c/prompts': { link: '/dots/prompts' },
      '/c/login': { link: '/dots/login' },
      '/c/gone': { link: '/dots/gone' },
      '/dots': null,
      '/dots/notes.md': '',
      '/dots/prompts': null,
      '/dots/login': '',
    });
    expect(sparseFolders(files, ['/c'])).toEqual([
      {
        path: '/c',
        shown: ['/c/AGENTS.md', '/c/skills'],
        links: [
          { path: '/c/notes.md', target: '/dots/notes.md' },
          { path: '/c/prompts', target: '/dots/prompts' },
        ],
      },
    ]);
  });

  it('resolves links, and leaves out what is no folder or is not there', () => {
    const files = memoryFiles({ '/c': { link: '/d' }, '/d': null, '/d/x': null, '/f': '' });
    expect(sparseFolders(files, ['/c', '/f', '/gone'])).toEqual([{ path: '/d', shown: ['/d/x'], links: [] }]);
  });
});
