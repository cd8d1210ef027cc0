/**
 * What llama-server answered, in both dialects, and what is read of it.
 * Source: recorded from llama.cpp 0.7.0 (build 11669) of Debian, 23 November 2026, whose model was a small one made for this: each line
 * of the cases is one answer. It reports an answer that it cut off as a whole one in the Responses dialect.
 */
import { casesIn, read } from '../../support/recordedAnswers';

const cases = casesIn('llama_server.jsonl');

const TOO_LONG = /^error unexpected status 400 Bad Request: .*exceeds the available context size \(2048 tokens\)/;
const CALLS = ['call shell {"command": ["echo", "one"]}', 'call shell {"command": ["echo", "two"]}'];
const REAL = 'call shell {"command": ["sh", "-c", "echo real"]}';

const READ: Record<string, (string | RegExp)[]> = {
  'text chat': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call chat': [REAL, /^completed \d+ 7$/],
  'two_calls chat': ['text', 'message Two calls:\n', ...CALLS, /^completed \d+ 10$/],
  'thoughts chat': ['rawReasoning', 'text', 'message An answer, thought through.', /^completed \d+ 7$/],
  'nothing chat': ['nothing', /^completed \d+ 1$/],
  'cut_text chat': ['text', /^message la/, 'error Incomplete response returned, reason: length'],
  'cut_call chat': ['error Incomplete response returned, reason: length'],
  'text responses': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call responses': [REAL, /^completed \d+ 7$/],
  'two_calls responses': ['text', 'message Two calls:\n', ...CALLS, /^completed \d+ 10$/],
  'thoughts responses': [
    'rawReasoning',
    'text',
    'reasoning',
    'message An answer, thought through.',
    /^completed \d+ 7$/,
  ],
  'nothing responses': [/^completed \d+ 1$/],
  'cut_text responses': ['text', /^message la/, /^completed \d+ 6$/],
  'cut_call responses': [/^call shell \{"command": \["ec/, /^completed \d+ 12$/],
  'too_long chat': [TOO_LONG],
  'too_long responses': [TOO_LONG],
  'no_key chat': [/^error unexpected status 401 Unauthorized: .*Invalid API Key.*no env_key/],
  'no_jinja chat': [
    /^error unexpected status 500 .*tools param requires --jinja flag.*; start llama-server with --jinja and without/,
  ],
  'loading chat': [/^error exceeded retry limit, last status: 503 .*Loading model/],
};

describe('an answer of llama-server', () => {
  it('is stated for each case', () => {
    expect(Object.keys(READ)).toEqual(cases.map(({ name, wire_api }) => `${name} ${wire_api}`));
  });

  it.each(cases.map((one) => [`${one.name} ${one.wire_api}`, one] as const))('%s', async (name, one) => {
    const expected = READ[name]?.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    expect(await read(one)).toEqual(expected);
  });
});
