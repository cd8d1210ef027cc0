/**
 * What the server of vLLM answered, in both dialects, and what is read of it.
 * Source: recorded on 28 November 2026 from vLLM's own server (source of 17 August 2026, commit 017e9f4) on a processor: its routes, request checks,
 * chat template, tokenizer, parsers of calls and thoughts, and detokenizer; its scheduler and model were played, and gave the tokens of fixed
 * texts. The names say what the model wrote; `hermes_` are of the parser `hermes` without one for thoughts, `no_parser` of a server without
 * the options of tools, the others of `qwen3_coder` and `qwen3`.
 */
import { casesIn, read } from '../../support/recordedAnswers';

const cases = casesIn('vllm.jsonl');
const CALLS = ['call shell {"command": ["echo", "one"]}', 'call shell {"command": ["echo", "two"]}'];
const REAL = 'call shell {"command": ["echo", "real"]}';
const TOO_LONG = /^error unexpected status 400 Bad Request: .*This model's maximum context length is 6000 tokens/;

const TEXT = ['text', 'message Hello from a real server!', 'completed 212 8'];
const CUT = ['text', 'message Hello from a real server'];
const RAW = ['text', /^message <tool_call>\n\{"name": "shell"/, 'completed 210 23'];
const THOUGHTS = ['text', 'message An answer, thought through.', 'completed 213 14'];

/** The call of `cut_call chat` has not all its arguments, although its finish reason is `tool_calls`: it is answered, not run. */
const READ: Record<string, (string | RegExp)[]> = {
  'text chat': TEXT,
  'thoughts chat': ['rawReasoning', ...THOUGHTS],
  'call chat': [REAL, 'completed 210 56'],
  'two_calls chat': ['text', 'message Two calls:\n\n', ...CALLS, 'completed 214 118'],
  'only_thought chat': ['rawReasoning', 'reasoning', 'completed 217 8'],
  'nothing chat': ['nothing', 'completed 215 2'],
  'cut_text chat': [...CUT, 'error Incomplete response returned, reason: length'],
  'cut_call chat': ['call shell {"command": ', 'completed 214 40'],
  'hermes_calls chat': ['text', 'message Two calls:\n', ...CALLS, 'completed 214 53'],
  'hermes_cut_call chat': ['call shell {"command": ["echo", "la', 'completed 214 20'],
  'too_long chat': [TOO_LONG],
  'no_key chat': [/^error unexpected status 401 Unauthorized: .*no env_key/],
  'no_model chat': [/^error unexpected status 404 Not Found: .*The model `absent` does not exist/],
  'text responses': TEXT,
  'thoughts responses': ['rawReasoning', 'reasoning', ...THOUGHTS],
  'call responses': [REAL, 'completed 210 56'],
  'two_calls responses': [
    'text',
    'message Two calls:\n',
    ...CALLS.slice(0, 1),
    'text',
    'message \n',
    ...CALLS.slice(1),
    'completed 214 118',
  ],
  'nothing responses': ['completed 215 2'],
  'cut_text responses': [...CUT, 'error Incomplete response returned, reason: max_output_tokens'],
  'cut_call responses': ['call shell {"command": ', 'error Incomplete response returned, reason: max_output_tokens'],
  'too_long responses': [TOO_LONG],
  'no_parser chat': [/^error .*; start vLLM with --enable-auto-tool-choice and --tool-call-parser PARSER/],
  'no_parser responses': RAW,
  'bad_arguments chat': [/^error unexpected status 400 Bad Request: .*Unterminated string starting at/],
};

describe('an answer of vLLM', () => {
  it('is stated for each case', () => {
    expect(Object.keys(READ)).toEqual(cases.map(({ name, wire_api }) => `${name} ${wire_api}`));
  });

  it.each(cases.map((one) => [`${one.name} ${one.wire_api}`, one] as const))('%s', async (name, one) => {
    const expected = READ[name]?.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    expect(await read(one)).toEqual(expected);
  });
});
