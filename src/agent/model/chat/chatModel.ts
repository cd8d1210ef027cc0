/** The request of the Chat Completions dialect; decodeChat reads its answer. */

import { pipe } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem, ToolCallItem } from '../../../protocol/model/items';
import type { Model } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import type { ModelRequest, ToolSpec } from '../../../protocol/model/request';
import { flatten } from '../../../streams/gather';
import { askHttp, type HttpDeps } from '../../modelHttp/askHttp';
import { toSentArguments } from '../../modelHttp/request';
import { decodeChat } from './decodeChat';

/**
 * A model behind Chat Completions: POST {baseUrl}/chat/completions, the whole conversation each time.
 * Emits as `Model` does, without item ids.
 * Source: Codex 0.28.0, bodies and headers of POST /chat/completions.
 */
export const chatModel = (deps: HttpDeps): ((provider: Provider) => Model) =>
  askHttp(deps, {
    path: 'chat/completions',
    saysBusy: false,
    toOwnHeaders: () => ({}),
    toBody: (request, provider) => JSON.stringify(chatBody(request, provider)),
    decode: () =>
      pipe(flatten(), decodeChat({ newId: () => `call_${Math.floor(deps.random() * 2 ** 52).toString(36)}` })),
  });

/**
 * A request as Chat Completions takes it. Calls made together go into one message, as servers require; reasoning is left out.
 * Source: Codex 0.28.0, bodies of POST /chat/completions; images, usage and calls made together are ours. Mistral sends the usage unasked, and refuses
 * unknown fields.
 */
export const chatBody = (
  { model, instructions, input, tools, maxOutputTokens }: ModelRequest,
  { baseUrl = '' }: Pick<Provider, 'baseUrl'>,
) => ({
  model,
  messages: [{ role: 'system', content: instructions }, ...toMessages(input)],
  stream: true,
  ...(isAt(baseUrl, 'mistral.ai') ? {} : { stream_options: { include_usage: true } }),
  ...(maxOutputTokens !== undefined && { [limitName(baseUrl)]: maxOutputTokens }),
  ...toTools(tools),
});

/** The dialect has only functions; so the shell is a function for every model. */
const toTools = (tools: readonly ToolSpec[]) => {
  const functions = tools.flatMap((tool) => (tool.type === 'function' ? [tool] : []));
  return functions.length === 0 ? {} : { tools: functions.map(({ type, ...tool }) => ({ type, function: tool })) };
};

/** OpenAI renamed the field, and other servers do not know the new name. */
const limitName = (baseUrl: string): string => (isAt(baseUrl, 'openai.com') ? 'max_completion_tokens' : 'max_tokens');

const isAt = (baseUrl: string, domain: string): boolean =>
  URL.canParse(baseUrl) && `.${new URL(baseUrl).hostname}`.endsWith(`.${domain}`);

type ToolCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: JsonObject;
};
type Message =
  | { role: 'assistant'; content: null; tool_calls: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: string; content: string | object[] };

const toMessages = (input: ResponseItem[]): Message[] =>
  input.reduce<Message[]>((messages, item) => {
    const last = messages.at(-1);
    if (!isCall(item)) messages.push(...toMessage(item));
    else if (last && 'tool_calls' in last) last.tool_calls.push(toToolCall(item));
    else messages.push({ role: 'assistant', content: null, tool_calls: [toToolCall(item)] });
    return messages;
  }, []);

const isCall = (item: ResponseItem): item is ToolCallItem =>
  item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'local_shell_call';

const toMessage = (item: Exclude<ResponseItem, ToolCallItem>): Message[] => {
  switch (item.type) {
    case 'message':
      return [{ role: item.role, content: toContent(item.role, item.content) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', tool_call_id: item.call_id, content: item.output }];
    default:
      return [];
  }
};

/** The dialect has only functions; a free-form call becomes one with the argument `input`. */
const toToolCall = (call: ToolCallItem): ToolCall => ({
  id: call.call_id,
  type: 'function',
  function: { name: 'name' in call ? call.name : 'shell', arguments: textOf(call) },
  ...('extra_content' in call && { extra_content: call.extra_content }),
});

const textOf = (call: ToolCallItem): string => {
  if (call.type === 'function_call') return toSentArguments(call.arguments);
  return JSON.stringify(call.type === 'custom_tool_call' ? { input: call.input } : call.action);
};

/** One string if possible, because many servers accept nothing else. */
const toContent = (role: string, parts: ContentPart[]): string | object[] =>
  role === 'user' && parts.some(({ type }) => type === 'input_image')
    ? parts.map((part) =>
        part.type === 'input_image'
          ? { type: 'image_url', image_url: { url: part.image_url } }
          : { type: 'text', text: part.text },
      )
    : parts.map((part) => ('text' in part ? part.text : '')).join('');
