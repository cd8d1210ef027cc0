import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { noColours } from '../../../src/io/terminal/paint';
import type { Chart } from '../../../src/tapes/diagram/chart';
import { toPageData } from '../../../src/tapes/drawing/toPageData';
import { toSvg } from '../../../src/tapes/drawing/toSvg';
import { toTerminal } from '../../../src/tapes/drawing/toTerminal';
import type { Session } from '../../../src/tapes/format/tape';
import { sessionFrom, sessionOf } from '../../support/tapes';
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
    expect(chart.marbles[0]?.name).toBe('\\u202egnp.exe\\u001b[2J');
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
