/** The texts of servers that cannot serve such a request as they are set up: the same request would be refused again. */

const OTHER_TEMPLATE =
  'the chat template of the model cannot render this conversation; give the server another one (llama-server: --chat-template-file), or take another build of the model';
const NO_TOOLS = 'the agent works by calling tools; take a model that can call them, or let its server read its calls';
const NO_PICTURES =
  'the conversation has a picture, and stays so: begin a new thread, or take a model that reads pictures; tools.view_image = false keeps the agent from looking at any';
const NO_SEARCH = 'the server cannot search the web: set web_search = "disabled"';
const NO_THOUGHTS =
  'the request asks for thoughts, and the model has none: set model_supports_reasoning_summaries = false, or wire_api = "chat"';

/**
 * A text and what to do about it; the first match counts.
 * Source: llama.cpp: its source; vLLM on pictures: its server, 17 August 2026; Ollama on pictures, thoughts and searches: its server,
 * 21 August 2026; LM Studio on pictures: 0.3.23, 0.3.30;
 * Ollama on tools, vLLM, LiteLLM, LM Studio, OpenRouter, Groq: answers quoted in public reports.
 */
const REFUSALS: readonly (readonly [text: RegExp, remedy: string])[] = [
  [/tools param requires --jinja/i, 'start llama-server with --jinja and without --no-jinja'],
  [
    /cannot use tools with stream/i,
    'this release of llama-server cannot send answers with tools as a stream; take a newer one',
  ],
  [
    /tool choice requires --enable-auto-tool-choice/i,
    'start vLLM with --enable-auto-tool-choice and --tool-call-parser PARSER, where PARSER is that of the model',
  ],
  [
    /no endpoints found that support (?:tool use|the provided '?"?tool)/i,
    `${NO_TOOLS}: openrouter.ai/models?supported_parameters=tools lists them`,
  ],
  [/UnsupportedParamsError/, `${NO_TOOLS}. LiteLLM leaves other parameters out with drop_params: true`],
  [
    /\bdoes(?: not|n't) support (?:tools?|function calling)\b/i,
    `${NO_TOOLS}; those of Ollama are at ollama.com/search?c=tools`,
  ],
  [/\btool(?:s| calling| use)?`? (?:is|are) not supported\b/i, NO_TOOLS],
  [/\bis not a multimodal model\b|\bdoes not support (?:images|multimodal requests)\b/i, NO_PICTURES],
  [/\bvision add-on is not loaded\b|\bimage input is not supported\b/i, NO_PICTURES],
  [/\bdoes not support thinking\b/i, NO_THOUGHTS],
  [/\bunsupported tool type: \W*type\W+web_search/i, NO_SEARCH],
  [/error rendering prompt with jinja template/i, `${OTHER_TEMPLATE} (LM Studio: My Models, Prompt Template)`],
  [/unable to generate parser for this template|\bjinja exception\b/i, OTHER_TEMPLATE],
  [/\bwhile executing \w+ at line \d+, column \d+ in source\b/i, OTHER_TEMPLATE],
  [/\b(?:value is not callable|cannot subscript)[^\n]{0,80} at row \d+, column \d+/i, OTHER_TEMPLATE],
];

/** What to do about a server that cannot serve the request; undefined if the text may describe a passing state. */
export const refusalRemedy = (text: string): string | undefined =>
  REFUSALS.find(([pattern]) => pattern.test(text))?.[1];
