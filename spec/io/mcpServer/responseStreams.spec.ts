import {
  addStream,
  NO_STREAMS,
  toHead,
  toWhole,
  withEvent,
  withStream,
} from '../../../src/io/mcpServer/responseStreams';

const own = { form: 'events', names: [], waitsFor: ['1'], headers: {} } as const;

describe('responseStreams', () => {
  it('numbers streams, and keeps those that are over for clients that resume, but not all', () => {
    let state = NO_STREAMS;
    for (let i = 1; i <= 60; i++) {
      state = addStream(state, { ...own, exchange: i });
      state = withStream(state, { ...(state.streams.at(-1) as (typeof state.streams)[0]), waitsFor: [] });
    }
    expect([state.next, state.streams.length, state.streams[1]?.number]).toEqual([61, 51, 11]);
  });

  it('numbers events, and keeps the latest', () => {
    let [stream] = NO_STREAMS.streams as [(typeof NO_STREAMS.streams)[0]];
    expect(withEvent(stream, 'a\nb').text).toBe('id: 0-1\nevent: message\ndata: a b\n\n');
    for (let i = 0; i < 1_005; i++) stream = withEvent(stream, `${i}`).stream;
    expect([stream.sent, stream.events.length, stream.events[0]?.number]).toEqual([1_005, 1_000, 6]);
  });

  it('makes heads and whole responses', () => {
    expect(toHead(3, { a: 'b' })).toEqual({
      kind: 'head',
      id: 3,
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', a: 'b' },
    });
    expect(toWhole(3, { status: 202 })).toEqual([
      { kind: 'head', id: 3, status: 202, headers: {} },
      { kind: 'end', id: 3 },
    ]);
  });
});
