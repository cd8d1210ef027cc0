import { joinText } from '../../../src/io/mcpHttp/joinText';
import { marbles } from '../../support/marbles';

describe('joinText', () => {
  it.each([
    ['joins pieces', '  -a-b-|', '-----(T|)', { T: 'xyz' }],
    ['drops the rest', '-a-b-a-b-|', '---------(T|)', { T: 'xyzx' }],
    ['is empty as its source is', '-|', '-(T|)', { T: '' }],
    ['errors with its source', '-a-#', '---#', {}],
  ])('%s', (_, source, expected, texts: Record<string, string>) => {
    marbles(({ hot, expectObservable }) => {
      const text$ = hot(source.trim(), { a: 'x', b: 'yz' });
      expectObservable(text$.pipe(joinText(4))).toBe(expected, texts);
    })();
  });
});
