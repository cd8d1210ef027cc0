import type { HttpOutput } from '../../../src/io/http/listenHttp';
import {
  addStream,
  NO_STREAMS,
  type ResponseStreams,
  sendLine,
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

const open = (state: ResponseStreams, exchange: number, id: string, form: 'events' | 'json' = 'events') =>
  addStream(state, { exchange, form, names: [`id ${id}`, `token t${id}`], waitsFor: [id], headers: {} });

const toText = (output: HttpOutput): string => {
  if (output.kind === 'head') return `${output.id} ${output.status} ${output.headers['content-type']}`;
  return output.kind === 'end' ? `${output.id} end` : `${output.id} ${output.text.split('\n').at(-3) ?? output.text}`;
};

/** What goes out for these lines, one after the other. */
const sent = (state: ResponseStreams, ...lines: (string | [string, number])[]): string[] => {
  let current = state;
  return lines.flatMap((one) => {
    const [line, status] = typeof one === 'string' ? [one, undefined] : one;
    const step = sendLine(current, { line, ...(status !== undefined && { status }) });
    current = step.state;
    return step.output.map(toText);
  });
};

const two = open(open(NO_STREAMS, 8, '1'), 9, '2');

const result = (id: string | number) => `{"id":${JSON.stringify(id)},"result":{}}`;

describe('sendLine', () => {
  it('sends a response on the stream of its request, which it ends', () => {
    expect(sent(two, result(2), result(1))).toEqual([
      '9 200 text/event-stream',
      `9 data: ${result(2)}`,
      '9 end',
      '8 200 text/event-stream',
      `8 data: ${result(1)}`,
      '8 end',
    ]);
  });

  it('sends what names a request on its stream, and the rest on the latest', () => {
    const progress = '{"method":"notifications/progress","params":{"progressToken":"t1"}}';
    const other = '{"method":"notifications/message"}';
    expect(sent(two, progress, other).filter((text) => text.includes('data'))).toEqual([
      `8 data: ${progress}`,
      `9 data: ${other}`,
    ]);
  });

  it('keeps a line that finds no stream', () => {
    const step = sendLine(NO_STREAMS, { line: '{"method":"n"}' });
    expect([step.output, step.state.streams[0]?.events.length]).toEqual([[], 1]);
  });

  it('answers in JSON where the client takes no events, and with the recorded status', () => {
    expect(sent(open(NO_STREAMS, 8, '1', 'json'), result(1))).toEqual([
      '8 200 application/json',
      `8 ${result(1)}`,
      '8 end',
    ]);
    const error = '{"id":null,"error":{}}';
    expect(sent(two, [error, 400])).toEqual(['8 400 application/json', `8 ${error}`, '8 end']);
  });
});
