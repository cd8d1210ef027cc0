import { inSilence } from '../../src/app/inSilence';
import { marbles } from '../support/marbles';

const bytes = (text: string): Uint8Array => Buffer.from(text);

const input = {
  a: bytes('{"method":"initialize"}'),
  c: bytes('{"method":"tools/call"}'),
  l: bytes('{"method":"ping"}\n'.repeat(2000)),
};

describe('inSilence', () => {
  it.each<[string, string, string[]]>([
    ['begins 60 ms behind the last input', ' a-b 59ms --------', ['-- 60ms ^---!']],
    ['never begins without input', '          ---- 99ms --------', []],
    ['stops at input and begins anew', '      a 60ms -b', ['- 59ms ^-!', '- 121ms ^---!']],
    ['stops at a call for good', '            a 60ms -c 999ms a 99ms -', ['- 59ms ^-!']],
    ['never begins behind a call', '          a-c 99ms -', []],
    ['never begins again when it is done', '  a 99ms a 99ms -', ['- 59ms ^---!']],
    ['never begins behind much input', '      (aaaaaaaaa) 99ms -', []],
    ['never begins behind much at once', '   a-l 99ms -', []],
    ['stops with the end of input', '         a 60ms -|', ['- 59ms ^-!']],
  ])('%s', (_, in$, subscriptions) => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const work$ = cold<never>('----|');
      const source$ = hot(in$, { ...input, b: input.a });
      expectObservable(source$.pipe(inSilence(work$)));
      expectSubscriptions(work$.subscriptions).toBe(subscriptions);
    })();
  });

  it.each<[string, string, string]>([
    ['the work is done', '        a', '64ms |'],
    ['a call comes', '            a-c', '--|'],
    ['much input has come', '     (aaaaaaaaa)', '|'],
    ['the input ends', '          a--|', '---|'],
  ])('emits nothing, and completes when %s', (_, in$, out) => {
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot(in$, input).pipe(inSilence(cold<never>('----|')))).toBe(out);
    })();
  });
});
