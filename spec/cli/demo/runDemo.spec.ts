import { concatMap, filter, map, NEVER, type OperatorFunction, of, timer } from 'rxjs';
import { toolClient } from '../../../src/cli/client/toolClient';
import { liveJson, liveMarbles } from '../../../src/cli/demo/live';
import { type DemoDeps, runDemo, type Shown, toVerdict } from '../../../src/cli/demo/runDemo';
import { CONTENT, demoCalls, toAnswer } from '../../../src/cli/demo/scene';
import type { Mark } from '../../../src/cli/demo/toMarks';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { noColours } from '../../../src/io/terminal/paint';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import { faultsOf, HOSTILE, HOSTILE_LINE } from '../../support/hostile';
import { marbles } from '../../support/marbles';
import { mark } from './marks';
import { CWD, received, sent } from './wire';

const line = (text: string): ServerEvent => ({ kind: 'line', line: text });

/** What a server sends for each line. */
const ANSWERS: Record<string, ServerEvent[]> = {
  [sent.i]: [line(received.I)],
  [sent.l]: [line(received.L)],
  [sent.c]: [line(received.S), line(received.Q)],
  [sent.y]: [line(received.C)],
  [sent.x]: [line(received.C)],
  [sent.r]: [line(received.R)],
};

/** Takes ten frames for each line, and ends with its input. */
const server: OperatorFunction<string, ServerEvent> = (line$) =>
  line$.pipe(concatMap((text) => timer(10).pipe(concatMap(() => ANSWERS[text] ?? []))));

const SHORT = { near: 's', line: 'h', log: 'g', ended: 'e' };

const deps = (own: Partial<DemoDeps> = {}, isYes = true): DemoDeps => {
  let next = 0;
  return {
    client: toolClient({
      newId: () => next++,
      name: 'codex-rx-demo',
      version: '1.0',
      answer: () => timer(6).pipe(map(() => toAnswer(isYes))),
      calls: demoCalls(CWD),
    }),
    server,
    live: (traffic$) => traffic$.pipe(map(({ value }) => SHORT[value.from === 'near' ? 'near' : value.item.kind])),
    stop$: NEVER,
    limitMs: 5_000,
    written: () => CONTENT,
    paint: noColours,
    width: 80,
    program: ['node', '/my programs/codex-rx.js'],
    ...own,
  };
};

/** The folder has a blank, so the shell needs quotes. */
const INIT = "  node '/my programs/codex-rx.js' init           lists the clients of this machine";

const isPage = (text: string): boolean => text.length > 1;

/** The messages as they come and the exit code; the head and the last page are left out. */
const inShort = (own?: Partial<DemoDeps>, isYes?: boolean) =>
  runDemo(deps(own, isYes)).pipe(
    filter((shown) => shown.kind === 'over' || (shown.text !== '' && !isPage(shown.text))),
    map((shown) => (shown.kind === 'over' ? String(shown.exitCode) : shown.text)),
  );

const pageLines = (own?: Partial<DemoDeps>, isYes?: boolean) =>
  runDemo(deps(own, isYes)).pipe(
    filter((shown): shown is Extract<Shown, { kind: 'line' }> => shown.kind === 'line' && isPage(shown.text)),
    map(({ text }) => text),
    filter((text) => /^(OK|FAILED|Kept| {2}request|May| {2}node .* init {2})/.test(text)),
  );

const notice = (method: string, params: object): ServerEvent =>
  line(JSON.stringify({ jsonrpc: '2.0', method, params }));

const asked = mark({ lane: 'question', symbol: 'Q' });

const yes = mark({ lane: 'question', symbol: 'y', sent: true });

const no = mark({ lane: 'question', symbol: 'x', sent: true });

const answered = mark({ lane: 'answer', symbol: 'C', message: decodeMessage(received.C) });

const replied = mark({ lane: 'answer', symbol: 'R', message: decodeMessage(received.R) });

const failed = mark({ lane: 'answer', symbol: 'C', message: decodeMessage(received.F) });

const reasonOf = (marks: Mark[], trouble: string, written: string | undefined): string => {
  const verdict = toVerdict({ marks, trouble, written });
  return verdict.kind === 'failed' ? verdict.reason : 'none';
};

describe('demo', () => {
  it.each([
    ['marbles', liveMarbles],
    ['JSON', liveJson],
  ])('shows what would command the terminal, as %s', (_, live) => {
    const hostile: OperatorFunction<string, ServerEvent> = (line$) =>
      line$.pipe(
        concatMap((text): ServerEvent[] => [
          notice(HOSTILE, { message: HOSTILE }),
          notice('codex/event', { msg: { type: 'session_configured', model: HOSTILE, model_provider_id: HOSTILE } }),
          notice('codex/event', { msg: { type: 'agent_message_delta', delta: HOSTILE } }),
          notice('codex/event', { msg: { type: 'turn_aborted', reason: HOSTILE } }),
          line(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, error: { code: 1, message: HOSTILE } })),
          line(`no JSON ${HOSTILE_LINE}`),
          { kind: 'log', line: HOSTILE_LINE },
          { kind: 'ended', trouble: HOSTILE_LINE },
        ]),
      );
    const shown: string[] = [];
    const options = { paint: noColours, width: 80 };
    const own = { server: hostile, live: live(options), written: () => HOSTILE.replace('FORGED', 'a line') };
    marbles(({ expectObservable, flush }) => {
      expectObservable(runDemo(deps(own)).pipe(map((one) => shown.push(one.kind === 'line' ? one.text : ''))));
      flush();
    })();
    expect(shown.length).toBeGreaterThan(10);
    expect(faultsOf(shown.join('\n'))).toEqual([]);
  });

  it(
    'shows each message as it comes and is content when all was seen',
    marbles(({ expectObservable }) => {
      const expected = 's 9ms (hss) 15ms (hs) 6ms (hh) 2ms s 9ms (hs) 6ms (h0|)';
      expectObservable(inShort()).toBe(expected);
      expectObservable(pageLines()).toBe('66ms (roc|)', {
        r: '  request  i-nl-c----r-|',
        o: 'OK: asked, approved, run; the file is there, both calls were answered.',
        c: INIT,
      });
    }),
  );

  it(
    'fails with the reason when the person declines',
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
    'reports the first error of a server that dies',
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
      expectObservable(pageLines({ hint: 'May it?', kept$: of(['/tmp/x']) })).toBe('40ms m 25ms (rkoc|)', {
        m: 'May it?',
        r: '  request  i-nl-c----r-|',
        k: 'Kept',
        o: 'OK: asked, approved, run; the file is there, both calls were answered.',
        c: INIT,
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

describe('toVerdict', () => {
  it('is content with a question, a yes, the file and both answers', () => {
    const facts = { marks: [asked, yes, answered, replied], trouble: '', written: CONTENT };
    expect(toVerdict(facts)).toEqual({ kind: 'shown', codex: { threadId: 'T1', content: 'done', text: 'done' } });
  });

  it('names the first thing that is missing', () => {
    expect([
      reasonOf([asked, yes, answered, replied], 'the server ended with exit code 1', CONTENT),
      reasonOf([], '', undefined),
      reasonOf([asked, yes, failed], '', CONTENT),
      reasonOf([asked, no, answered, replied], '', undefined),
      reasonOf([answered, replied], '', CONTENT),
      reasonOf([asked, yes, answered, replied], '', undefined),
      reasonOf([asked, yes, answered, replied], '', 'Hello\n'),
      reasonOf([asked, yes, answered], '', CONTENT),
    ]).toEqual([
      'the server ended with exit code 1',
      'the call of codex got no answer with text and structuredContent',
      'the call of codex got no answer with text and structuredContent',
      'the command was declined, so hello.txt was not written',
      'nobody was asked before the command ran',
      'hello.txt was not written',
      'hello.txt holds something else',
      'the call of codex-reply got no answer with text and structuredContent',
    ]);
  });
});
