import { toServerPlan } from '../../../src/tapes/replayServer/playbackSession';
import {
  type PlayOptions,
  reduceServer,
  type ServerInput,
  type ServerPlayback,
} from '../../../src/tapes/replayServer/reduceServer';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const request = (id: unknown, method: string) => ({ id, method });
const response = (id: unknown, result: unknown) => ({ id, result });
const text = (message: object): string => JSON.stringify(message);

const plan = toServerPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'out', { method: 'ready' }],
      [1, 'in', request(1, 'a')],
      [2, 'out', request(0, 'roots/list')],
      [3, 'in', response(0, [])],
      [4, 'out', response(1, 'A')],
    ),
  ),
);
const once: PlayOptions = { repeat: 'once', match: 'strict' };
const again: PlayOptions = { repeat: 'again', match: 'strict' };
const IDLE: ServerPlayback = { phase: 'idle' };

const start: ServerInput = { kind: 'start', atMs: 0 };
const end: ServerInput = { kind: 'end', atMs: 9 };
const line = (message: object | string): ServerInput => ({
  kind: 'line',
  line: typeof message === 'string' ? message : text(message),
  atMs: 5,
});

/** The lines and the kinds of the remarks after each input. */
const outputs = (options: PlayOptions, ...inputs: ServerInput[]): string[][] => {
  const play = reduceServer(plan, options);
  let state: ServerPlayback = IDLE;
  return inputs.map((input) => {
    const step = play(state, input);
    state = step.state;
    return step.output.map((event) => (event.kind === 'line' ? event.line : event.kind));
  });
};

describe('reduceServer', () => {
  it('sends what needs no client line at the start, and each other line once its client lines have come', () => {
    expect(outputs(once, start, line(request(7, 'a')), line(response(0, [])), end)).toEqual([
      [text({ method: 'ready' })],
      [text(request(0, 'roots/list'))],
      [text(response(7, 'A'))],
      [],
    ]);
  });

  it('expects that a client cancels where responses are lost', () => {
    const cancel = line({ method: 'notifications/cancelled', params: { requestId: 7 } });
    expect(outputs(once, start, cancel).slice(1)).toEqual([['unrecorded']]);
    expect(outputs({ ...once, cancels: 'any' }, start, cancel).slice(1)).toEqual([['fault']]);
  });

  it('passes over blank lines, and remarks on what was not recorded and what never came', () => {
    expect(outputs(once, start, line(' '), line({ method: 'other' }), line('no JSON'), end).slice(1)).toEqual([
      [],
      ['unrecorded'],
      ['unrecorded'],
      ['unplayed'],
    ]);
  });

  it('answers a request that was not recorded with an error', () => {
    const [, [remark, error] = []] = outputs(once, start, line(request(3, 'other')));
    expect(remark).toBe('unrecorded');
    expect(JSON.parse(error ?? '')).toMatchObject({ id: 3, error: { code: -32050 } });
  });

  it('keeps a session whose request is open when a new one starts', () => {
    const [, , second, third, fourth] = outputs(
      again,
      start,
      line(request(7, 'a')),
      line(request(8, 'a')),
      line(response(0, [])),
      line(response(0, [])),
    );
    expect(second).toEqual([text({ method: 'ready' }), text(request(0, 'roots/list'))]);
    expect([third, fourth]).toEqual([[text(response(8, 'A'))], [text(response(7, 'A'))]]);
  });

  it('leaves the state before it as it was', () => {
    const play = reduceServer(plan, again);
    const inputs = [start, line(request(7, 'a')), line(response(0, [])), line(request(8, 'a')), end];
    inputs.reduce<ServerPlayback>((state, input) => {
      const [first, second] = [play(state, input), play(state, input)];
      expect(second).toEqual(first);
      return first.state;
    }, IDLE);
  });
});
