import { timestamp } from 'rxjs';
import { liveJson, liveMarbles, toLiveLines } from '../../../src/cli/demo/live';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { noColours } from '../../../src/io/terminal/paint';
import type { Traffic } from '../../../src/streams/connectPeers';
import { marbles } from '../../support/marbles';
import { mark } from './marks';
import { received, sent } from './wire';

const options = { paint: noColours, width: 60 };
const traffic: Record<string, Traffic<string, ServerEvent>> = {
  l: { from: 'near', item: sent.l },
  D: { from: 'far', item: { kind: 'line', line: received.D } },
  L: { from: 'far', item: { kind: 'line', line: received.L } },
  g: { from: 'far', item: { kind: 'log', line: 'oh' } },
  z: { from: 'far', item: { kind: 'ended', trouble: '' } },
  k: { from: 'far', item: { kind: 'ended', trouble: 'gone' } },
};

describe('toLiveLines', () => {
  it('fits a message in one line of the width', () => {
    const long = mark({ lane: 'event', symbol: 'M', name: 'agent_message', text: 'x'.repeat(99), atMs: 42 });
    const [line, ...rest] = toLiveLines(long, options);
    expect([line?.length, rest]).toEqual([60, []]);
    expect(line).toMatch(/^ {4}42 {2}M event {4}◀── agent_message {9}x+…$/);
  });

  it('shows a question whole', () => {
    const text = 'Allow Codex to run `rm -rf build` in `/home/me/project`?';
    expect(toLiveLines(mark({ lane: 'question', symbol: 'Q', name: 'ask', text, whole: true }), options)).toEqual([
      '     0  Q question ◀── ask',
      '                       Allow Codex to run `rm -rf build` in',
      '                       `/home/me/project`?',
    ]);
  });
});

describe('liveMarbles', () => {
  it(
    'draws a line a message, a run of deltas as one',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('l-DD-L---|', traffic);
      const expected = ' l----(DL)|';
      expectObservable(traffic$.pipe(timestamp(), liveMarbles(options))).toBe(expected, {
        l: '     0  l request  ──▶ tools/list',
        D: '     2  D event    ◀── agent_message_delta ×2 "dodo"',
        L: '     5  L answer   ◀── tools/list            codex, codex-r…',
      });
    }),
  );
});

describe('liveJson', () => {
  it(
    'shows every line as it went',
    marbles(({ hot, expectObservable }) => {
      const traffic$ = hot('lDgzk|', traffic);
      expectObservable(traffic$.pipe(timestamp(), liveJson(options))).toBe('lDgzk|', {
        l: `──▶ ${sent.l}`,
        D: `◀── ${received.D}`,
        g: '    oh',
        z: '    the server ended',
        k: '    gone',
      });
    }),
  );
});
