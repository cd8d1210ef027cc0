import type { HttpOutput } from '../../../src/io/http/listenHttp';
import { addStream, NO_STREAMS, type ResponseStreams } from '../../../src/io/mcpServer/responseStreams';
import { sendLine } from '../../../src/io/mcpServer/sendLine';

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
