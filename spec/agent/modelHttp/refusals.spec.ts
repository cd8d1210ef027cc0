import { refusalRemedy } from '../../../src/agent/modelHttp/failures';

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
