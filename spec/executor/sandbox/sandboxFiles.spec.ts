import { readOnce } from '../../../src/executor/sandbox/sandboxFiles';
import { memoryFiles } from './memoryFiles';

describe('readOnce', () => {
  it('asks for each path once, also for one that is not there, but again for another check', () => {
    const kindOf = jest.fn((path: string) => (path === '/w' ? ('folder' as const) : undefined));
    const files = { ...memoryFiles({}), kindOf };
    for (const once of [readOnce(files), readOnce(files)])
      expect(['/w', '/gone', '/w', '/gone'].map(once.kindOf)).toEqual(['folder', undefined, 'folder', undefined]);
    expect(kindOf.mock.calls.map(([path]) => path)).toEqual(['/w', '/gone', '/w', '/gone']);
  });
});
