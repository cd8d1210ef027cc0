import { concatMap, filter, map, NEVER, type OperatorFunction, timer } from 'rxjs';
import { type DemoDeps, demo, type Shown } from '../../../src/app/demo/demo';
import { demoClient } from '../../../src/app/demo/demoClient';
import { CONTENT } from '../../../src/app/demo/scene';
import type { ServerEvent } from '../../../src/app/serverProcess';
import { noColours } from '../../../src/terminal';
import { marbles } from '../../support/marbles';
import { CWD, heard, out } from './wire';

const line = (text: string): ServerEvent => ({ kind: 'line', line: text });

/** What a server says to each line. */
const ANSWERS: Record<string, ServerEvent[]> = {
  [out.i]: [line(heard.I)],
  [out.l]: [line(heard.L)],
  [out.c]: [line(heard.S), line(heard.Q)],
  [out.y]: [line(heard.C)],
  [out.x]: [line(heard.C)],
  [out.r]: [line(heard.R)],
};

/** Takes ten frames for each line, and ends with its input. */
const server: OperatorFunction<string, ServerEvent> = (said$) =>
  said$.pipe(concatMap((text) => timer(10).pipe(concatMap(() => ANSWERS[text] ?? []))));

const SHORT = { near: 's', line: 'h', log: 'g', ended: 'e' };

const deps = (own: Partial<DemoDeps> = {}, isYes = true): DemoDeps => {
  let next = 0;
  return {
    client: demoClient({
      newId: () => next++,
      approve: () => timer(6).pipe(map(() => isYes)),
      cwd: CWD,
      version: '1.0',
    }),
    server,
    live: (spoken$) => spoken$.pipe(map(({ value }) => SHORT[value.from === 'near' ? 'near' : value.item.kind])),
    stop$: NEVER,
    limitMs: 5_000,
    written: () => CONTENT,
    paint: noColours,
    width: 80,
    serve: ['npx', 'codex-rx'],
    ...own,
  };
};

const isPage = (text: string): boolean => text.length > 1;

/** The messages as they come and the exit code; the head and the last page are left out. */
const inShort = (own?: Partial<DemoDeps>, isYes?: boolean) =>
  demo(deps(own, isYes)).pipe(
    filter((shown) => shown.kind === 'over' || (shown.text !== '' && !isPage(shown.text))),
    map((shown) => (shown.kind === 'over' ? String(shown.exitCode) : shown.text)),
  );

const pageLines = (own?: Partial<DemoDeps>, isYes?: boolean) =>
  demo(deps(own, isYes)).pipe(
    filter((shown): shown is Extract<Shown, { kind: 'line' }> => shown.kind === 'line' && isPage(shown.text)),
    map(({ text }) => text),
    filter((text) => /^(OK|FAILED|Kept| {2}request|May)/.test(text)),
  );

describe('demo', () => {
  it(
    'shows each message as it comes and is content when all was seen',
    marbles(({ expectObservable }) => {
      const expected = 's 9ms (hss) 15ms (hs) 6ms (hh) 2ms s 9ms (hs) 6ms (h0|)';
      expectObservable(inShort()).toBe(expected);
      expectObservable(pageLines()).toBe('66ms (ro|)', {
        r: '  request  i-nl-c----r-|',
        o: 'OK: asked, approved, run; the file is there, both calls were answered.',
      });
    }),
  );

  it(
    'fails with the reason when the person says no',
    marbles(({ expectObservable }) => {
      const written = () => undefined;
      expectObservable(inShort({ written }, false)).toBe('s 9ms (hss) 15ms (hs) 6ms (hh) 2ms s 9ms (hs) 6ms (h1|)');
      expectObservable(pageLines({ written }, false)).toBe('66ms (rf|)', {
        r: '  request  i-nl-c----r-|',
        f: 'FAILED: the command was declined, so hello.txt was not written',
      });
    }),
  );

  it(
    'stops the server when it is stopped',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<ServerEvent>('-');
      const stop$ = cold('-----x', { x: 'it was stopped' });
      expectObservable(inShort({ server: () => silent$, stop$ })).toBe('-----(e1|)');
      expectObservable(pageLines({ server: () => silent$, stop$ })).toBe('-----(f|)', { f: 'FAILED: it was stopped' });
      expectSubscriptions(silent$.subscriptions).toBe(['^----!', '^----!']);
    }),
  );

  it(
    'gives up at its time limit',
    marbles(({ cold, expectObservable }) => {
      const server = () => cold<ServerEvent>('-');
      expectObservable(pageLines({ server })).toBe('5s (f|)', { f: 'FAILED: there was no end within 5 s' });
    }),
  );

  it(
    'tells the first trouble of a server that dies',
    marbles(({ cold, expectObservable }) => {
      const trouble = 'the server ended with exit code 1';
      const server = () => cold<ServerEvent>('--e-|', { e: { kind: 'ended', trouble } });
      expectObservable(inShort({ server })).toBe('--e-(1|)');
      expectObservable(pageLines({ server })).toBe('----(f|)', { f: `FAILED: ${trouble}` });
    }),
  );

  it(
    'shows what the person has to do below the question, and what was kept',
    marbles(({ expectObservable }) => {
      expectObservable(pageLines({ hint: 'May it?', kept: '/tmp/x' })).toBe('40ms m 25ms (rko|)', {
        m: 'May it?',
        r: '  request  i-nl-c----r-|',
        k: 'Kept',
        o: 'OK: asked, approved, run; the file is there, both calls were answered.',
      });
    }),
  );

  it(
    'stops all when nobody looks any more',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<ServerEvent>('-');
      expectObservable(inShort({ server: () => silent$ }), '---!').toBe('-');
      expectSubscriptions(silent$.subscriptions).toBe('^--!');
    }),
  );
});
