import { parseLine, type TapeMessage } from '../../../src/protocol/jsonrpc/parseLine';
import {
  findMasked,
  findNearest,
  findSame,
  nearestLine,
  toSubstitution,
  toUnrecorded,
} from '../../../src/tapes/replayServer/matchLine';
import { type PlaybackSession, toServerPlan } from '../../../src/tapes/replayServer/playbackSession';
import { openPlaybackSession, receiveLine } from '../../../src/tapes/replayServer/receive';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (id: number | string, name: string, given: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});
const cancel = (requestId: number | string) => ({ method: 'notifications/cancelled', params: { requestId } });
const plan = toServerPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', call(1, 'a', { x: 1 })],
      [1, 'in', call(2, 'a', { x: 1 })],
      [2, 'in', call(3, 'b', { x: 1 })],
      [3, 'in', cancel(3)],
    ),
  ),
);
const opened = openPlaybackSession(plan, 0).session;
const parsed = (message: object) => parseLine(JSON.stringify(message));
const playing = (line: number, message: object, session: PlaybackSession = opened): PlaybackSession =>
  receiveLine(plan, session, { line, messages: parsed(message).messages, atMs: 0 }).session;

describe('findSame', () => {
  const same = (message: object, session = opened) => findSame(plan, parsed(message), session)(session);

  it('finds the next line of the same meaning, whatever its id, until all were received', () => {
    const again = call(9, 'a', { x: 1 });
    const [one, two] = [playing(0, again), playing(1, again, playing(0, again))];
    expect(same(again)).toEqual({ line: 0, remarks: [] });
    expect(same(again, one)).toEqual({ line: 1, remarks: [] });
    expect(same(again, two)).toBeUndefined();
  });

  it('remarks once on what a client of 2026-07-28 states otherwise', () => {
    const stated = (id: number, version: string) => ({
      id,
      method: 'tools/list',
      params: { _meta: { progressToken: id, 'io.modelcontextprotocol/clientInfo': { name: 'c', version } } },
    });
    const modern = toServerPlan(toSessionIndex(sessionFrom([0, 'in', stated(1, '1')], [1, 'in', stated(2, '1')])));
    const { session } = openPlaybackSession(modern, 0);
    const find = (version: string) => findSame(modern, parsed(stated(7, version)), session)(session);
    expect(find('1')).toEqual({ line: 0, remarks: [] });
    const text =
      'tools/list is taken for line 1: tools/list; params._meta["io.modelcontextprotocol/clientInfo"].version: recorded "1", now "2"';
    expect(find('2')).toEqual({ line: 0, remarks: [{ kind: 'substituted', text }] });
    const messages = parsed(stated(7, '2')).messages;
    const next = receiveLine(modern, session, { line: 0, messages, atMs: 0 }).session;
    expect(findSame(modern, parsed(stated(8, '2')), next)(next)).toEqual({ line: 1, remarks: [] });
  });

  it('finds nothing where the params differ', () => {
    expect(same(call(1, 'a', { x: 2 }))).toBeUndefined();
  });

  it('reads the ids in a line as those of this client', () => {
    const session = playing(2, call('mine', 'b', { x: 1 }));
    expect(same(cancel('mine'), session)).toEqual({ line: 3, remarks: [] });
    expect(same(cancel('other'), session)).toBeUndefined();
  });
});

describe('findNearest of what has a name', () => {
  const request = (id: number, method: string, params: object) => ({ id, method, params });
  const complete = (name: string) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'x', value: 'a' } });

  it.each<[string, object, object]>([
    ['resources/read', { uri: 'a://1' }, { uri: 'a://2' }],
    ['completion/complete', complete('p1'), complete('p2')],
    ['tasks/get', { taskId: 't1' }, { taskId: 't2' }],
  ])('never takes one for another: %s', (method, recorded, now) => {
    const named = toServerPlan(toSessionIndex(sessionFrom([0, 'in', request(1, method, recorded)])));
    const session = openPlaybackSession(named, 0).session;
    const find = (params: object) => findNearest(named, parsed(request(2, method, params)))(session)?.line;
    expect([find({ ...recorded, more: 1 }), find(now)]).toEqual([0, undefined]);
  });
});

describe('findNearest', () => {
  const nearest = (message: unknown, session = opened) =>
    findNearest(plan, parseLine(JSON.stringify(message)))(session);

  it('finds the nearest line of the same tool, and remarks on what differs', () => {
    expect(nearest(call(9, 'b', { x: 2 }))).toEqual({
      line: 2,
      remarks: [
        {
          kind: 'substituted',
          text: expect.stringMatching(/is taken for line 3: .*params\.arguments\.x: recorded 1, now 2/),
        },
      ],
    });
  });

  it('finds no line that was received already', () => {
    expect(nearest(call(9, 'b', { x: 2 }), playing(2, call(9, 'b')))).toBeUndefined();
  });

  it('finds nothing for another tool, and nothing for a batch', () => {
    expect(nearest(call(9, 'c'))).toBeUndefined();
    expect(nearest([call(8, 'a'), call(9, 'a')])).toBeUndefined();
  });
});

describe('findMasked', () => {
  const [before, now] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
  const keyed = toServerPlan(toSessionIndex(sessionFrom([0, 'in', call(1, 'a', { key: before, x: 1 })])));
  const found = (message: object) => findMasked(keyed, parsed(message))(openPlaybackSession(keyed, 0).session);

  it('finds no other request for a value that the server issued', () => {
    const issued = toServerPlan(
      toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, 'open')],
          [1, 'out', { id: 1, result: { id: before } }],
          [2, 'in', call(2, 'a', { id: before })],
        ),
      ),
    );
    const session = openPlaybackSession(issued, 0).session;
    expect(findMasked(issued, parsed(call(2, 'a', { id: before })))(session)).toEqual({ line: 1, remarks: [] });
    expect(findMasked(issued, parsed(call(2, 'a', { id: now })))(session)).toBeUndefined();
  });

  it('finds a request that differs in ids that the client made up only', () => {
    expect(found(call(1, 'a', { key: now, x: 1 }))).toEqual({ line: 0, remarks: [] });
    expect(found(call(1, 'a', { key: now, x: 2 }))).toBeUndefined();
    expect(found({ method: 'tools/call' })).toBeUndefined();
  });
});

describe('nearestLine', () => {
  const call = (params?: object) => ({ id: 1, method: 'tools/call', ...(params && { params }) });

  const { clientLines } = toSessionIndex(
    sessionFrom([0, 'in', { method: 'ready' }], [1, 'in', call({ a: 1, b: 1 })], [2, 'in', call({ a: 2, b: 2 })]),
  );

  const messageOf = (message: object): TapeMessage => parseLine(JSON.stringify(message)).messages[0] as TapeMessage;

  describe('nearestLine', () => {
    it.each<[string, object, number | undefined]>([
      ['the line with the fewest differences', call({ a: 2, b: 3 }), 3],
      ['the first of several', call({ a: 3, b: 3 }), 2],
      ['a line for a message without params', call(), 2],
      ['no line of another method', { id: 1, method: 'tools/list' }, undefined],
      ['no line for a response', { id: 1, result: {} }, undefined],
    ])('finds %s', (_, message, lineNumber) => {
      expect(nearestLine(clientLines, messageOf(message))?.line.lineNumber).toBe(lineNumber);
    });

    it('compares no more than 200 lines', () => {
      const calls = Array.from({ length: 201 }, (_, at): [number, string, object] => [at, 'in', call({ at })]);
      const { clientLines: many } = toSessionIndex(sessionFrom(...calls));
      expect(nearestLine(many, messageOf(call({ at: 199 })))?.line.lineNumber).toBe(200);
      expect(nearestLine(many, messageOf(call({ at: 200 })))?.line.lineNumber).toBe(1);
    });
  });

  describe('toUnrecorded', () => {
    it('names the nearest line and how it differs', () => {
      expect(toUnrecorded(clientLines, messageOf(call({ a: 1, b: 2 })))).toEqual({
        message: 'Not recorded: tools/call. Nearest is line 2: tools/call; params.b: recorded 1, now 2',
        data: {
          nearest: { line: 2, method: 'tools/call', params: { a: 1, b: 1 } },
          differences: [{ path: 'params.b', recorded: 1, now: 2 }],
        },
      });
    });

    it('reports when the tape has no line of the method, and when the line was sent fewer times', () => {
      expect(toUnrecorded(clientLines, messageOf({ id: 1, method: 'x' }))).toEqual({
        message: 'Not recorded: x; the tape has nothing of that method',
      });
      expect(toUnrecorded(clientLines, messageOf(call({ a: 1, b: 1 }))).message).toContain('was sent fewer times');
    });
  });

  describe('toSubstitution', () => {
    it('names the line that was taken', () => {
      const message = messageOf(call({ a: 1, b: 2 }));
      const near = nearestLine(clientLines, message);
      expect(near && toSubstitution(message, near)).toBe(
        'tools/call is taken for line 2: tools/call; params.b: recorded 1, now 2',
      );
    });
  });
});
