/**
 * What Ollama answered, in both dialects, and what is read of it.
 * Source: recorded on 24 November 2026 from the server of Ollama (source of 21 August 2026, without the import of models) in front of llama-server 0.7.0,
 * with a small model made for this, and a context of 4,096 tokens. It reports an answer that it cut off as a whole one in the Responses dialect.
 */
import { casesIn, read } from '../support/recordedAnswers';

const cases = casesIn('ollama.jsonl');
const TOO_LONG = /^error unexpected status 400 Bad Request: .*exceeds the available context size \(4096 tokens\)/;
const CALLS = ['call shell {"command":["echo","one"]}', 'call shell {"command":["echo","two"]}'];
const REAL = 'call shell {"command":["sh","-c","echo real"]}';

const READ: Record<string, (string | RegExp)[]> = {
  'text chat': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call chat': [REAL, /^completed \d+ 7$/],
  'two_calls chat': ['text', 'message Two calls:\n', ...CALLS, /^completed \d+ 10$/],
  'thoughts chat': ['rawReasoning', 'text', 'message An answer, thought through.', /^completed \d+ 7$/],
  'nothing chat': ['nothing', /^completed \d+ 1$/],
  'cut_text chat': ['text', /^message la/, 'error Incomplete response returned, reason: length'],
  'cut_call chat': [/^error .*500.*invalid tool call arguments/],
  'text responses': ['text', 'message Hello from a real server!', /^completed \d+ 5$/],
  'call responses': [REAL, /^completed \d+ 7$/],
  'thoughts responses': ['reasoning', 'text', 'message An answer, thought through.', /^completed \d+ 7$/],
  'cut_text responses': ['text', /^message la/, /^completed \d+ 6$/],
  'too_long chat': [TOO_LONG],
  'no_model chat': [/^error unexpected status 404 Not Found: .*model 'absent' not found/],
};

describe('an answer of Ollama', () => {
  it('is stated for each case', () => {
    expect(Object.keys(READ)).toEqual(cases.map(({ name, wire_api }) => `${name} ${wire_api}`));
  });

  it.each(cases.map((one) => [`${one.name} ${one.wire_api}`, one] as const))('%s', async (name, one) => {
    const expected = READ[name]?.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    expect(await read(one)).toEqual(expected);
  });
});
