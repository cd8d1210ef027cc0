import {
  documentFailure,
  eventTooLong,
  FailedAttempt,
  idleFailure,
  incompleteFailure,
  limitItems,
  noAnswerFailure,
  refusalRemedy,
  reportedFailure,
  streamFailure,
  Unauthorized,
} from '../../../src/agent/modelHttp/failures';
import { statusFailure } from '../../../src/agent/modelHttp/statusFailure';
import { ModelError } from '../../../src/protocol/model/model';

const fatal = (message: string) => ({ message, retryable: false });
const refused = (message: string) => ({
  message: expect.stringMatching(new RegExp(`^${message}; the agent works by calling tools`)) as unknown as string,
  retryable: false,
});
const passing = (message: string) => ({ message, retryable: true });
const partsOf = ({ message, retryable }: ModelError) => ({ message, retryable });
const BROKE = 'stream disconnected before completion: ';
const DOCUMENT = 'the model server answered with a document instead of a stream of events: ';

describe('streamFailure, incompleteFailure, eventTooLong', () => {
  it.each([
    [streamFailure('cut'), passing(`${BROKE}cut`)],
    [incompleteFailure('max_tokens'), fatal('Incomplete response returned, reason: max_tokens')],
    [incompleteFailure(undefined), fatal('Incomplete response returned, reason: unknown')],
    [eventTooLong(9), fatal('the model server sent an event of more than 9 characters')],
  ])('%#', (error, expected) => {
    expect(partsOf(error)).toEqual(expected);
  });
});

describe('idleFailure, noAnswerFailure', () => {
  it.each([
    [idleFailure(), `${BROKE}idle timeout waiting for SSE`],
    [
      idleFailure(700),
      `${BROKE}idle timeout waiting for SSE; nothing more of the answer came within stream_idle_timeout_ms of the model provider (0.7 s)`,
    ],
    [
      noAnswerFailure('http://me:S@m/v1?key=S', 2_500),
      'no answer from http://m/v1 within 2.5 s, which stream_idle_timeout_ms of the model provider sets',
    ],
  ])('count as one request that timed out: %#', (error, message) => {
    expect([partsOf(error), error.tried]).toEqual([passing(message), { requests: 1, timedOut: true }]);
  });
});

describe('documentFailure', () => {
  it.each([
    ['an error in JSON       ', '{"error":{"message":"down"}}', passing(`${BROKE}down`)],
    ['an error as a text     ', '{"error":"down"}', passing(`${BROKE}down`)],
    ['an error in a list     ', '[{"error":{"message":"down"}}]\n', passing(`${BROKE}down`)],
    ['an error in a longer list', '[{"error":{"message":"down"}},{}]', passing(`${BROKE}down`)],
    ['a fatal one            ', '{"error":{"message":"no","code":"insufficient_quota"}}', fatal('no')],
    ['other JSON             ', '{"a": 1}', fatal(`${DOCUMENT}{"a": 1}`)],
    ['a page                 ', '<html><style>a{}</style><p>Log\n in</p></html>', fatal(`${DOCUMENT}Log in`)],
    ['a long one, cut        ', 'x'.repeat(700), fatal(`${DOCUMENT}${'x'.repeat(600)}…`)],
  ])('reports %s', (_, text, expected) => {
    expect(partsOf(documentFailure(text))).toEqual(expected);
  });
});

describe('reportedFailure', () => {
  it.each([
    ['its message            ', { message: 'down' }, passing(`${BROKE}down`)],
    ['the text given instead ', { message: '' }, passing(`${BROKE}other`)],
    ['a fatal code           ', { message: 'no', code: 'context_length_exceeded' }, fatal('no')],
    ['what would fail again  ', { message: 'm does not support tools' }, refused('m does not support tools')],
    ['a fatal type           ', { message: 'no', type: 'invalid_prompt' }, fatal('no')],
  ])('reports %s', (_, error, expected) => {
    expect(partsOf(reportedFailure(error, 'other'))).toEqual(expected);
  });
});

describe('statusFailure', () => {
  const own = { url: 'http://h/v1/responses', now: () => 0, saysBusy: false, rejected: 'log in' };
  const failed = (status: number, body = '', headers = {}, saysBusy = false) =>
    statusFailure({ status, statusText: 'Text', headers }, body, { ...own, saysBusy });
  const retried = (message: string, waitMs?: number) => new FailedAttempt(new ModelError(message, true), waitMs);
  const LIMIT = 'exceeded retry limit, last status: ';
  const BUSY = "We're currently experiencing high demand, which may cause temporary errors.";

  it.each([
    ['its message', 500, '{"error":{"message":"out of memory"}}', '; the server answered: out of memory'],
    ['a page', 503, '<h1>Bad</h1><p>gateway', '; the server answered: Bad gateway'],
    ['nothing', 500, ' ', ''],
    ['the beginning of a long text', 502, 'x'.repeat(700), `; the server answered: ${'x'.repeat(600)}…`],
  ])('quotes of a server that fails %s, where texts are whole', (_, status, body, quote) => {
    const deps = { ...own, saysBusy: true, statusTexts: 'whole' as const };
    const error = statusFailure({ status, statusText: 'Text', headers: {} }, body, deps);
    expect(error).toEqual(retried(`${LIMIT}${status} Text${quote}`));
  });

  it.each<[string, Error, Error]>([
    ['a wrong request       ', failed(400, 'no'), new ModelError('unexpected status 400 Text: no', false)],
    [
      'a wrong address       ',
      failed(404, 'no'),
      new ModelError('unexpected status 404 Text: no; the request went to http://h/v1/responses', false),
    ],
    [
      'a redirect            ',
      failed(302, '', { location: 'http://me:S@b/?key=S' }),
      new ModelError(
        'unexpected status 302 Text: the server redirects to http://b/; set base_url to the new address.',
        false,
      ),
    ],
    [
      'no access             ',
      failed(401, 'no'),
      new Unauthorized(new ModelError('unexpected status 401 Text: no; log in', false)),
    ],
    [
      'a text with line ends ',
      failed(401, 'no\n\n'),
      new Unauthorized(new ModelError('unexpected status 401 Text: no; log in', false)),
    ],
    [
      'a proxy with a login  ',
      failed(407, 'no'),
      new ModelError(
        'unexpected status 407 Text: no; the proxy that the environment names requires another login: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with characters such as @ written as %40',
        false,
      ),
    ],
    ['too many requests     ', failed(429), retried(`${LIMIT}429 Text`)],
    [
      'a wait of a day       ',
      failed(429, '', { 'retry-after': '86400' }),
      new ModelError(`${LIMIT}429 Text; the server asks to wait 1 day before the next attempt`, false),
    ],
    ['a wait of five minutes', failed(429, '', { 'retry-after': '300' }), retried(`${LIMIT}429 Text`, 300_000)],
    ['the time to wait in words', failed(429, 'Please try again in 3s.'), retried(`${LIMIT}429 Text`, 3_000)],
    ['the time to wait      ', failed(429, '', { 'retry-after': '3' }), retried(`${LIMIT}429 Text`, 3_000)],
    ['a broken server       ', failed(503), retried(`${LIMIT}503 Text`)],
    ['a busy one            ', failed(500, '', {}, true), retried(BUSY)],
    ['a broken 500          ', failed(500), retried(`${LIMIT}500 Text`)],
    [
      'a 500 that would fail again',
      failed(500, 'tools param requires --jinja flag', {}, true),
      new ModelError(
        'unexpected status 500 Text: tools param requires --jinja flag; start llama-server with --jinja and without --no-jinja',
        false,
      ),
    ],
    [
      'what would fail again ',
      failed(500, '{"error":{"type":"invalid_prompt"}}'),
      new ModelError('unexpected status 500 Text: {"error":{"type":"invalid_prompt"}}', false),
    ],
  ])('reports %s', (_, error, expected) => {
    expect(error).toEqual(expected);
    expect({ ...error }).toEqual({ ...expected });
    expect(error.constructor).toBe(expected.constructor);
  });
});

describe('refusalRemedy', () => {
  it.each([
    ['tools param requires --jinja flag', /^start llama-server with --jinja/],
    ['Cannot use tools with stream', /^this release of llama-server cannot/],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', /^start vLLM with/],
    ['No endpoints found that support tool use. Try disabling "shell".', /openrouter\.ai/],
    ["No endpoints found that support the provided 'tool_choice' value.", /openrouter\.ai/],
    ["litellm.UnsupportedParamsError: x does not support parameters: ['tools']", /drop_params/],
    ['registry.ollama.ai/library/gemma3:4b does not support tools', /take a model that can call them.*ollama\.com/],
    ['`tool calling` is not supported with this model', /^the agent works by calling tools/],
    ['tiny is not a multimodal model', /^the conversation has a picture/],
    ['Model does not support images. Please use a model that does.', /view_image = false/],
    ['ValueError: Vision add-on is not loaded, but images were provided for processing', /begin a new thread/],
    ['Multimodal data provided, but model does not support multimodal requests.', /begin a new thread/],
    ['image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', /begin a new/],
    ['"qwen3-coder" does not support thinking', /model_supports_reasoning_summaries = false/],
    ['Failed to parse tools: Unsupported tool type: {\\"type\\":\\"web_search_preview\\"}', /web_search = "disabled"$/],
    ['Error rendering prompt with jinja template: "Unknown test: sequence".', /LM Studio: My Models/],
    ['Unable to generate parser for this template. Automatic parser generation failed', /--chat-template-file/],
    ['While executing FilterExpression at line 120, column 73 in source:\n...', /--chat-template-file/],
    ['Value is not callable: null at row 49, column 79:\n  {%- set', /--chat-template-file/],
    ['Cannot subscript null at row 23, column 40:', /--chat-template-file/],
  ])('knows what to do about %j', (text, remedy) => {
    expect(refusalRemedy(text)).toMatch(remedy);
  });

  it.each(['', 'Loading model', 'out of memory', 'the tools are overloaded', 'slot is busy', 'Bad gateway'])(
    'takes %j for a state that passes',
    (text) => {
      expect(refusalRemedy(text)).toBeUndefined();
    },
  );
});

describe('limitItems', () => {
  it('throws beyond 1,024 items an error that no other attempt follows', () => {
    const error = new ModelError('the model server sent an answer of more than 1024 items', false);
    for (const count of [0, 1, 1_024]) expect(() => limitItems(count)).not.toThrow();
    expect(() => limitItems(1_025)).toThrow(error);
  });
});
