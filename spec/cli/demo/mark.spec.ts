import { type Look, lookOfReceived, lookOfSent } from '../../../src/cli/demo/toMarks';
import type { Message, RequestId } from '../../../src/protocol/jsonrpc/messages';

const short = ({ lane, symbol, name, text }: Look): string => `${lane} ${symbol} ${name} ${text}`.trim();
const request = (method: string, params: object = {}) => ({ kind: 'request', id: 1, method, params }) as Message;
const notification = (method: string, params: object = {}) => ({ kind: 'notification', method, params }) as Message;
const response = (result: object, id: RequestId = 1) => ({ kind: 'response', id, result }) as Message;

describe('lookOfSent', () => {
  it.each<[Message, string]>([
    [request('initialize', { clientInfo: { name: 'user', version: '1' } }), 'request i initialize user 1'],
    [
      request('initialize', { capabilities: { elicitation: {} } }),
      'request i initialize a client that can ask a person',
    ],
    [request('tools/list'), 'request l tools/list'],
    [request('tools/call', { name: 'codex', arguments: { prompt: 'go' } }), 'request c tools/call codex "go"'],
    [request('tools/call', { name: 'add', arguments: { a: 1 } }), 'request r tools/call add {"a":1}'],
    [request('resources/Read'), 'request r resources/Read'],
    [notification('notifications/initialized'), 'request n notifications/initialized'],
    [response({ action: 'accept' }), 'question y yes the person lets it run'],
    [response({ action: 'decline' }), 'question x no the person does not let it run'],
  ])('draws %j', (message, look) => expect(short(lookOfSent(message))).toBe(look));
});

describe('lookOfReceived', () => {
  const open = new Map([[1, lookOfSent(request('tools/call', { name: 'codex', arguments: {} }))]]);

  it.each<[Message, string]>([
    [request('elicitation/create', { message: 'Run it?' }), 'question Q elicitation/create Run it?'],
    [notification('notifications/progress', { message: 'half' }), 'progress P progress half'],
    [notification('notifications/message'), 'event N notifications/message'],
    [
      response({ content: [{ type: 'text', text: '3' }, { type: 'image' }] }),
      'answer C tools/call codex "3 ⏎ [image]"',
    ],
    [response({ content: [], isError: true }), 'answer C tools/call codex {"content":[],"isError":true}'],
    [response({ tools: [{ name: 'a' }, { name: 'b' }] }, 2), 'answer ? answer a, b'],
    [
      { kind: 'response', id: 1, error: { code: -1, message: 'no' } } as Message,
      'answer C tools/call codex error -1: no',
    ],
  ])('draws %j', (message, look) => expect(short(lookOfReceived(message, open))).toBe(look));

  it('shows the text of a question as a whole', () => {
    expect(lookOfReceived(request('elicitation/create', { message: 'Run it?' }), open).whole).toBe(true);
  });
});
