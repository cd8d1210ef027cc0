/**
 * What Ollama answered, in both dialects, and what is read of it.
 * Source: recorded from the server of Ollama (source of 21 August 2026, commit fb30760, without the import of models) in front of llama-server 0.7.0,
 * with a small model made for this: up to `no_model` on 24 November 2026, with a context of 4,096 tokens, the others on 28 November 2026. `template_`
 * are of a model with a template of Ollama's own, `coder_` of its parser `qwen3-coder`, `harmony_` of its parser `harmony`, the others of a model whose
 * template and calls llama-server reads. In the Responses dialect it reports an answer that it cut off as a whole one, and ends no message before a call.
 */
import { casesIn, read } from '../../support/recordedAnswers';

const cases = casesIn('ollama.jsonl');
const TOO_LONG = /^error unexpected status 400 Bad Request: .*exceeds the available context size \(4096 tokens\)/;
const CALLS = ['call shell {"command":["echo","one"]}', 'call shell {"command":["echo","two"]}'];
const TWO = (mark: string, text: string) => [
  'text',
  `message ${text}`,
  ...['one', 'two'].map((word) => `call shell {"command":["sh","-c","echo ${word} [[${mark}:after]]"]}`),
  /^completed \d+ \d+$/,
];
const CUT = 'error Incomplete response returned, reason: length';
const NO_PICTURES = /^error unexpected status .*; the conversation has a picture/;
const THOUGHTS = ['text', 'message An answer, thought through.', /^completed \d+ \d+$/];
const LOOK = 'call shell {"command":["sh","-c","echo thought-through \\"[[h:after]]\\""]}';
const LOOKED = ['text', 'message I look first.', 'call shell {"command":["sh","-c","echo looked \\"[[h:after]]\\""]}'];
const BAD_CALL = /^error .*500.*error parsing tool call: .*unexpected end of JSON input$/;
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
  'only_thoughts chat': ['rawReasoning', 'reasoning', 'completed 313 4'],
  'picture chat': [NO_PICTURES],
  'template_thoughts chat': ['rawReasoning', ...THOUGHTS],
  'template_two_calls chat': TWO('j', 'Two calls:\n'),
  'template_cut_call chat': [CUT],
  'template_picture chat': [NO_PICTURES],
  'coder_two_calls chat': TWO('q', 'Two calls:'),
  'coder_cut_call chat': [CUT],
  'harmony_thoughts chat': ['rawReasoning', ...THOUGHTS],
  'harmony_thought_call chat': ['rawReasoning', 'reasoning', LOOK, 'completed 144 15'],
  'harmony_text_call chat': [...LOOKED, 'completed 144 14'],
  'harmony_bad_call chat': [BAD_CALL],
  'harmony_thought_bad_call chat': [
    'rawReasoning',
    'error stream disconnected before completion: stream closed before finish_reason or [DONE]',
  ],
  'no_tools chat': [/^error unexpected status 400 .*does not support tools.*; the agent works by calling tools/],
  'two_calls responses': TWO('j', 'Two calls:\n'),
  'nothing responses': ['completed 313 1'],
  'cut_call responses': [/^error .*500.*invalid tool call arguments/],
  'only_thoughts responses': ['reasoning', 'completed 313 4'],
  'picture responses': [NO_PICTURES],
  'template_thoughts responses': ['reasoning', ...THOUGHTS],
  'template_two_calls responses': TWO('j', 'Two calls:\n'),
  'template_cut_call responses': ['completed 294 6'],
  'template_picture responses': [NO_PICTURES],
  'coder_two_calls responses': TWO('q', 'Two calls:'),
  'coder_cut_call responses': ['completed 590 6'],
  'harmony_thoughts responses': ['reasoning', ...THOUGHTS],
  'harmony_thought_call responses': ['reasoning', LOOK, 'completed 144 15'],
  'harmony_text_call responses': [...LOOKED, 'completed 144 14'],
  'harmony_bad_call responses': [BAD_CALL],
  'harmony_thought_bad_call responses': [
    'reasoning',
    'error stream disconnected before completion: stream closed before response.completed',
  ],
  'no_thoughts responses': [
    /^error unexpected status 400 .*does not support thinking.*; the request asks for thoughts/,
  ],
  'search responses': [/^error unexpected status 500 .*web_search_preview.*; the server cannot search the web/],
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
