import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { noColours } from '../../../src/io/terminal/paint';
import type { Chart, Drawn, Look, Sign, Span } from '../../../src/tapes/diagram/chart';
import { assignLetters, joinRuns, toLanes, toSpans, withTiers } from '../../../src/tapes/diagram/toChart';
import { toPageData } from '../../../src/tapes/drawing/toPage';
import { toSvg } from '../../../src/tapes/drawing/toSvg';
import { toTerminal } from '../../../src/tapes/drawing/toTerminal';
import type { Session } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom, sessionOf } from '../../support/tapes';
import { polled } from '../tasks';
import { anySession, draw } from './tapes';

const TAPES = join(__dirname, '../../fixtures/tapes');
const ask = (id: number | string, method = 'ping', params: object = {}) => ({ id, method, params });
const symbols = ({ marbles }: Chart): string => marbles.map(({ symbol }) => symbol).join('');
const chartOf = (...lines: Parameters<typeof sessionFrom>): Chart => draw(sessionFrom(...lines));

/** Which entry each marble stands for, once per message. */
const covered = ({ marbles }: Chart): string[] =>
  marbles.flatMap(({ first, count, part }) =>
    Array.from({ length: count }, (_, i) => `${first + i}${part === undefined ? '' : `.${part}`}`),
  );

/** The same, from the lines. */
const expected = (session: Session): string[] =>
  session.entries
    .filter(({ entry }) => entry.line.trim() !== '')
    .flatMap(({ entry: { dir, line, seam = 'mcp' } }, i) => {
      if (seam !== 'mcp' || (dir !== 'in' && dir !== 'out')) return [`${i}`];
      const value = parsed(line);
      return Array.isArray(value) && value.length > 1 ? value.map((_, part) => `${i}.${part}`) : [`${i}`];
    });

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

describe('toChart', () => {
  it('gives a response the capital of its request, an error and what is not a message signs of their own', () => {
    const chart = chartOf(
      [0, 'in', ask(1)],
      [1, 'out', { id: 1, result: {} }],
      [2, 'in', ask(2)],
      [3, 'out', { id: 2, error: { code: 1 } }],
      [4, 'in', 'no message'],
      [5, 'out', { id: 9, result: {} }],
      [6, 'in', ask(3, 'x')],
      [7, 'out', { id: 3, result: { isError: true } }],
    );
    expect(symbols(chart)).toBe('pPp!?Ra!');
    expect(chart.marbles.map(({ mark }) => mark)).toEqual([
      ...['plain', 'plain', 'plain', 'error', 'odd', 'plain', 'plain', 'error'],
    ]);
  });

  it('takes another letter where the first is taken, also where the Latin ones are all taken', () => {
    expect(symbols(chartOf([0, 'in', ask(1, 'pa')], [1, 'in', ask(2, 'pb')], [2, 'in', ask(3, 'pa')]))).toBe('pbp');
    const many = Array.from({ length: 30 }, (_, i): [number, string, object] => [i, 'in', ask(i, `m${i}`)]);
    expect(symbols(chartOf(...many))).toMatch(/^[a-wyz]{25}γδθλξ$/);
  });

  it('cuts endless names, of marbles, lanes and parties', () => {
    const long = 'a'.repeat(1_000_000);
    const chart = chartOf(
      [0, 'in', { id: 1, method: 'initialize', params: { clientInfo: { name: long } } }],
      [1, 'out', { method: long }],
    );
    expect(chart.marbles[1]?.name).toBe(`${'a'.repeat(200)}…`);
    expect(chart.lanes[1]?.title).toBe('a'.repeat(60));
    expect(chart.facts[0]).toEqual(['client', 'a'.repeat(200)]);
  });

  it('writes characters that are not seen, or turn a text around, as escapes', () => {
    const chart = chartOf([0, 'out', { method: '\u202egnp.exe\u001b[2J' }]);
    expect(chart.marbles[0]?.name).toBe('\\u202egnp.exe\\x1b[2J');
    expect(chart.lanes[0]?.title).toMatch(/^\\u202egnp/);
  });

  it('pairs requests and responses by id, 0 and the empty text too, the oldest first', () => {
    const chart = chartOf(
      [0, 'in', ask(0)],
      [1, 'in', ask('')],
      [2, 'in', ask('0')],
      [3, 'in', ask(0)],
      [4, 'out', { id: '', result: {} }],
      [5, 'out', { id: 0, error: {} }],
      [6, 'out', { id: '0', result: {} }],
    );
    expect(chart.spans).toEqual([
      { from: 0, to: 5, outcome: 'failed', tier: 0 },
      { from: 1, to: 4, outcome: 'answered', tier: 1 },
      { from: 2, to: 6, outcome: 'answered', tier: 2 },
      { from: 3, outcome: 'open', tier: 3 },
    ]);
  });

  it('ends a cancelled call at its cancel, or at a response that comes nevertheless', () => {
    const cancel = (requestId: number) => ({ method: 'notifications/cancelled', params: { requestId } });
    const chart = chartOf(
      [0, 'in', ask(1)],
      [1, 'in', ask(2)],
      [2, 'in', cancel(1)],
      [3, 'in', cancel(2)],
      [4, 'out', { id: 2, result: {} }],
      [5, 'in', cancel(7)],
    );
    expect(chart.spans.map(({ from, to, outcome }) => [from, to, outcome])).toEqual([
      [0, 2, 'cancelled'],
      [1, 4, 'cancelled'],
    ]);
    expect(symbols(chart)).toBe('ppxxPx');
  });

  it('pairs requests of the server, and the calls at inner seams', () => {
    const chart = chartOf([0, 'out', ask(0, 'elicitation/create')], [1, 'in', { id: 0, result: {} }]);
    expect(chart.spans).toEqual([{ from: 0, to: 1, outcome: 'answered', tier: 0 }]);
    const seams = sessionFrom(
      [0, 'in', '{}'],
      [1, 'in', '{}'],
      [2, 'out', '{}'],
      [3, 'note', 'failed: no'],
      [4, 'note', 'stopped'],
    );
    const calls = [1, 2, 1, 2, 1];
    const entries = seams.entries.map((one, i) => ({ ...one, entry: { ...one.entry, seam: 'model', call: calls[i] } }));
    expect(draw({ meta: {}, entries }).spans.map(({ to, outcome }) => [to, outcome])).toEqual([
      [4, 'cancelled'],
      [3, 'failed'],
    ]);
  });

  it('leaves out what only running again needs, which ends a run of deltas', () => {
    const delta = { method: 'codex/event', params: { msg: { type: 'agent_message_delta', delta: 'a' } } };
    const plain = sessionFrom(
      [0, 'in', 'null'],
      [1, 'out', delta],
      [2, 'out', '["id","1"]'],
      [3, 'out', delta],
      [4, 'note', 'stopped'],
    );
    const seams = ['timer 10000', undefined, 'chance', undefined, 'timer 10000'];
    const entries = plain.entries.map((one, i) => ({ ...one, entry: { ...one.entry, seam: seams[i], call: 1 } }));
    const { marbles, spans, lanes, facts } = draw({ meta: {}, entries });
    expect(marbles.map(({ first, count }) => [first, count])).toEqual([
      [1, 1],
      [3, 1],
    ]);
    expect([spans, lanes.map(({ key }) => key), facts.filter(([label]) => label === 'inner calls')]).toEqual([
      [],
      ['agent'],
      [],
    ]);
  });

  it('makes one marble of deltas of one call that follow each other', () => {
    const delta = (requestId: number) => ({
      method: 'codex/event',
      params: { _meta: { requestId }, msg: { type: 'agent_message_delta', delta: 'a' } },
    });
    const chart = chartOf(
      [0, 'in', ask(1)],
      [1, 'in', ask(2)],
      ...[1, 1, 1, 2, 1].map((id, i): [number, string, object] => [2 + i, 'out', delta(id)]),
    );
    expect(chart.marbles.map(({ first, count }) => [first, count])).toEqual([
      [0, 1],
      [1, 1],
      [2, 3],
      [5, 1],
      [6, 1],
    ]);
    expect(chart.marbles[2]).toMatchObject({ atMs: 2, untilMs: 4 });
  });

  it('has a lane for each kind of notification; where there are too many, one for the rest', () => {
    const notice = (method: string, i: number): [number, string, object] => [i, 'out', { method }];
    const keys = (chart: Chart) => chart.lanes.map(({ key }) => key);
    expect(keys(chartOf(notice('notifications/progress', 0), notice('notifications/message', 1)))).toEqual([
      'progress',
      'message',
    ]);
    const many = chartOf(...Array.from({ length: 12 }, (_, i) => notice(`k${i}/a`, i)));
    expect(keys(many)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'other']);
  });

  it('assigns threads by what messages name, and by the call that they belong to', () => {
    const event = (msg: object) => ({ method: 'codex/event', params: { _meta: { requestId: 1 }, msg } });
    const chart = chartOf(
      [0, 'in', ask(0, 'ping')],
      [1, 'in', ask(1, 'tools/call')],
      [2, 'out', event({ type: 'task_started' })],
      [3, 'out', event({ type: 'session_configured', session_id: 'thread-1' })],
      [4, 'out', { id: 1, result: {} }],
      [5, 'in', ask(2, 'tools/call', { arguments: { threadId: 'thread-2' } })],
      [6, 'out', { id: 2, result: { structuredContent: { threadId: 'thread-2' } } }],
      [7, 'out', { method: 'thread/started', params: { thread: { id: 'thread-1' } } }],
    );
    expect(chart.threads).toEqual(['thread-1', 'thread-2']);
    expect(chart.marbles.map(({ thread }) => thread)).toEqual([undefined, 0, 0, 0, 0, 1, 1, 0]);
  });

  it('marks where both sides end; an end by a signal is no error', () => {
    const ending = (exit: string) => chartOf([0, 'note', 'standard input closed'], [1, 'exit', exit]);
    expect(ending('{"code":0,"sig":null}').ends).toEqual({ client: 0, server: 1 });
    expect(symbols(ending('{"code":null,"sig":"SIGKILL"}'))).toBe('||');
    expect(symbols(ending('{"code":1,"sig":null}'))).toBe('|!');
  });

  it.each(readdirSync(TAPES))('has every line of %s in one marble', (name) => {
    const session = sessionOf(join(TAPES, name));
    expect(covered(draw(session))).toEqual(expected(session));
  });

  it('has every line of any tape in one marble, never goes back, never throws', () => {
    fc.assert(
      fc.property(anySession, (session) => {
        const chart = draw(session);
        expect(covered(chart)).toEqual(expected(session));
        for (const [i, { atMs, untilMs, lane }] of chart.marbles.entries()) {
          expect(atMs).toBeGreaterThanOrEqual(chart.marbles[i - 1]?.untilMs ?? 0);
          expect(untilMs).toBeGreaterThanOrEqual(atMs);
          expect(chart.lanes[lane]).toBeDefined();
        }
        toTerminal(chart, { paint: noColours, width: 80, axis: 'linear' });
        toTerminal(chart, { paint: noColours, width: 80, axis: 'ordinal' });
        toSvg(chart, { title: 't', axis: 'linear' });
        toPageData(chart, { title: 't', axis: 'ordinal' });
      }),
    );
  });

  it('ends each answered call at an answer of its id, and no two at one', () => {
    fc.assert(
      fc.property(anySession, (session) => {
        const { spans, marbles, entries } = draw(session);
        const idAt = (i: number): unknown => {
          const { first = 0, part } = marbles[i] ?? {};
          const value = parsed(entries[first]?.entry.line ?? '') as { id: unknown }[] & { id: unknown };
          const one = part === undefined ? (Array.isArray(value) ? value[0] : value) : value[part];
          return (one as { id?: unknown })?.id;
        };
        const onWire = spans.filter(({ from }) => (entries[marbles[from]?.first ?? -1]?.entry.seam ?? 'mcp') === 'mcp');
        const answered = onWire.filter(({ to }) => to !== undefined && marbles[to]?.mark !== 'cancel');
        for (const { from, to } of answered) expect(idAt(to as number)).toBe(idAt(from));
        expect(new Set(answered.map(({ to }) => to)).size).toBe(answered.length);
        for (const { from, to } of spans) expect(to ?? from + 1).toBeGreaterThan(from);
      }),
    );
  });
});

const span = (from: number, to?: number): Span => ({ from, outcome: 'open', tier: 0, ...(to !== undefined && { to }) });

describe('toSpans', () => {
  it('goes from each request to its response, else to its cancel, at their marbles', () => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method: 'a' }],
        [1, 'in', { id: 2, method: 'b' }],
        [2, 'in', { id: 3, method: 'c' }],
        [3, 'in', { method: 'notifications/cancelled', params: { requestId: 2 } }],
        [4, 'out', { id: 1, result: {} }],
      ),
    );
    expect(toSpans(index, { ofMessage: [10, 11, 12, 13, 14], ofEntry: [] })).toEqual([
      { from: 10, to: 14, outcome: 'answered', tier: 0 },
      { from: 11, to: 13, outcome: 'cancelled', tier: 0 },
      { from: 12, outcome: 'open', tier: 0 },
    ]);
  });

  it('goes from a call that is answered with a task to the end of the task', () => {
    const marbles = polled.entries.map((_, i) => i);
    expect(toSpans(toSessionIndex(polled), { ofMessage: marbles, ofEntry: [] })[0]).toEqual({
      from: 0,
      to: 11,
      outcome: 'answered',
      tier: 0,
    });
    const cut = { ...polled, entries: polled.entries.slice(0, 6) };
    expect(toSpans(toSessionIndex(cut), { ofMessage: marbles, ofEntry: [] })[0]).toMatchObject({ outcome: 'open' });
  });

  it('has the calls at inner seams among the others, by their requests', () => {
    const { entries } = sessionFrom([0, 'in', '{}'], [1, 'in', { id: 1, method: 'a' }], [2, 'note', 'failed: no']);
    const withSeam = entries.map((one, i) =>
      i === 1 ? one : { ...one, entry: { ...one.entry, seam: 'model', call: 1 } },
    );
    const index = toSessionIndex({ meta: {}, entries: withSeam });
    expect(toSpans(index, { ofMessage: [1], ofEntry: [0, 1, 2] })).toEqual([
      { from: 0, to: 2, outcome: 'failed', tier: 0 },
      { from: 1, outcome: 'open', tier: 0 },
    ]);
  });
});

describe('withTiers', () => {
  const tiers = (spans: Span[], laneOf = (_: number) => 0): number[] =>
    withTiers(spans, laneOf).map(({ tier }) => tier);

  it('gives spans of one lane that overlap the lowest tier that is free', () => {
    expect(tiers([span(0, 5), span(1, 2), span(3, 4), span(6)])).toEqual([0, 1, 1, 0]);
    expect(tiers([span(0, 5), span(1, 5)], (marble) => marble)).toEqual([0, 0]);
  });

  it('draws more than four over each other', () => {
    expect(tiers([span(0), span(1), span(2), span(3), span(4), span(5)])).toEqual([0, 1, 2, 3, 3, 3]);
  });
});

const look = (group: Look['group'], key: string): Look => ({
  group,
  key,
  name: 'n',
  mark: 'plain',
  sign: { kind: 'fixed', text: '#' },
});

describe('toLanes', () => {
  it('orders lanes by group, and those of one group by their first use', () => {
    const { lanes, laneOf } = toLanes([
      look('log', 'log'),
      look('event', 'b'),
      look('event', 'a'),
      look('request', 'r'),
    ]);
    expect(lanes).toEqual([
      { group: 'request', key: 'r', title: 'client sends' },
      { group: 'event', key: 'b', title: 'b' },
      { group: 'event', key: 'a', title: 'a' },
      { group: 'log', key: 'log', title: 'stderr, notes, end' },
    ]);
    expect(laneOf).toEqual([3, 1, 2, 0]);
  });

  it('lets the rarest kinds share a lane where there are more than eight', () => {
    const kinds = Array.from({ length: 9 }, (_, i) => look('event', `k${i}`));
    const { lanes, laneOf } = toLanes([...kinds, look('event', 'k8'), look('event', 'k7')]);
    expect(lanes.map(({ key }) => key)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'other', 'k7', 'k8']);
    expect(lanes[5]?.title).toBe('other events');
    expect(laneOf.slice(4, 7)).toEqual([4, 5, 5]);
  });
});

const drawn = (entry: number, run?: string, more: Partial<Drawn> = {}): Drawn => ({
  look: { group: 'event', key: 'k', name: 'n', mark: 'plain', sign: { kind: 'fixed', text: '#' }, ...(run && { run }) },
  entry,
  t: entry * 10,
  ...more,
});

const counts = (...all: Drawn[]): number[] => joinRuns(all).runs.map(({ count }) => count);

describe('joinRuns', () => {
  it('joins consecutive looks of one run, and maps each to its row', () => {
    const all = [drawn(0), drawn(1, 'a'), drawn(2, 'a', { thread: 1 }), drawn(3, 'b'), drawn(4, 'a')];
    expect(joinRuns(all)).toEqual({
      runs: [
        { first: all[0], atMs: 0, untilMs: 0, count: 1, thread: undefined },
        { first: all[1], atMs: 10, untilMs: 20, count: 2, thread: 1 },
        { first: all[3], atMs: 30, untilMs: 30, count: 1, thread: undefined },
        { first: all[4], atMs: 40, untilMs: 40, count: 1, thread: undefined },
      ],
      runOf: [0, 1, 1, 2, 3],
    });
  });

  it('joins nothing without a run, of another group, or of a batch', () => {
    expect(counts(drawn(0), drawn(1))).toEqual([1, 1]);
    const other = drawn(1, 'a');
    expect(counts(drawn(0, 'a'), { ...other, look: { ...other.look, group: 'model' } })).toEqual([1, 1]);
    expect(counts(drawn(0, 'a', { part: 0 }), drawn(0, 'a', { part: 1 }), drawn(1, 'a'))).toEqual([1, 1, 1]);
  });

  it('never goes back in time', () => {
    const { runs } = joinRuns([drawn(0, 'a', { t: 5 }), drawn(1, 'a', { t: 3 }), drawn(2, undefined, { t: 1 })]);
    expect(runs.map(({ atMs, untilMs }) => [atMs, untilMs])).toEqual([
      [5, 5],
      [5, 5],
    ]);
  });
});

const small = (of: string): Extract<Sign, { kind: 'letter' }> => ({ kind: 'letter', of, size: 'small' });
const capital = (of: string): Sign => ({ kind: 'letter', of, size: 'capital' });

describe('assignLetters', () => {
  it('gives a name one letter, in the case that is asked for', () => {
    expect(assignLetters([small('ping'), capital('ping'), small('ping')])).toEqual(['p', 'P', 'p']);
  });

  it('takes the first free letter of the last part of a name, else the next of the alphabet', () => {
    expect(assignLetters([small('tools/call codex'), small('cc'), small('cc/call')])).toEqual(['c', 'a', 'l']);
  });

  it('never takes x, and goes on in other alphabets', () => {
    const names = Array.from({ length: 52 }, (_, i) => small(`x${i}`));
    expect(assignLetters(names).join('')).toBe('abcdefghijklmnopqrstuvwyzγδθλξπσφψωбджзийлцчшщыэюяàá');
    expect(assignLetters(names.map(({ of }) => capital(of))).join('')).toMatch(/YZΓΔΘΛΞΠΣΦΨΩБДЖ.*ÀÁ$/);
  });

  it('has eleven thousand letters, and one sign for all names after', () => {
    const names = Array.from({ length: 11_600 }, (_, i) => small(`x${i}`));
    const letters = assignLetters(names);
    const given = letters.filter((letter) => letter !== '*');
    expect([given.length, new Set(given).size, letters.at(-1)]).toEqual([11_540, 11_540, '*']);
    expect(letters.every((letter) => letter.length === 1)).toBe(true);
  });

  it('leaves fixed signs as they are', () => {
    expect(assignLetters([{ kind: 'fixed', text: '!' }, small('!')])).toEqual(['!', 'a']);
  });
});
