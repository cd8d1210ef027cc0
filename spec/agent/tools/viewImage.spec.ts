import { of } from 'rxjs';
import { viewImage } from '../../../src/agent/tools/builtInTools';
import { marbles } from '../../support/marbles';

const tool = viewImage({
  readImage: (path) =>
    of(path === '/w/p.png' ? { kind: 'image', url: 'data:p' } : { kind: 'unreadable', reason: 'it is not a file' }),
  cwd: '/w',
});
const call = (args: string) => ({ callId: 'c', args, isApproved: () => false });

describe('viewImage', () => {
  it.each([
    ['a path', '{"path":"p.png"}', { verdict: 'run', plan: { path: 'p.png' }, effect: 'reads' }],
    ['no path', '{}', { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments/) }],
  ])('assesses %s', (_, args, assessed) =>
    marbles(({ expectObservable }) => {
      expectObservable(tool.assess(call(args))).toBe('(a|)', { a: assessed });
    })(),
  );

  it(
    'shows the picture, and names the reason where there is none',
    marbles(({ expectObservable }) => {
      const values = {
        i: { kind: 'image', url: 'data:p' },
        o: { kind: 'output', text: 'attached local image path' },
        e: { kind: 'output', text: 'err: the picture /x could not be read: it is not a file' },
      };
      expectObservable(tool.run({ path: 'p.png' }, 'direct')).toBe('(io|)', values);
      expectObservable(tool.run({ path: '/x' }, 'direct')).toBe('(e|)', values);
    }),
  );
});
