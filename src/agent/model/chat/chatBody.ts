/** The body of a request in the Chat Completions dialect. */
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem, ToolCallItem } from '../../../protocol/model/items';
import type { Provider } from '../../../protocol/model/provider';
import type { ModelRequest, ToolSpec } from '../../../protocol/model/request';
import { type SentArguments, sentArguments } from '../../modelHttp/sentArguments';

/** The dialect has only functions; so the shell is a function for every model. */
const toTools = (tools: readonly ToolSpec[]) => {
  const functions = tools.flatMap((tool) => (tool.type === 'function' ? [tool] : []));
  return functions.length === 0 ? {} : { tools: functions.map(({ type, ...tool }) => ({ type, function: tool })) };
};

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

/**
 * Makes the function that writes requests as Chat Completions takes them, and remembers the arguments it has written. Calls made together go into one
 * message, as servers require; reasoning is left out.
 * Source: Codex 0.28.0, bodies of POST /chat/completions; images, usage and calls made together are ours. Mistral sends the usage unasked, and refuses
 * unknown fields.
 */
export const chatBody = () => {
  const toMessages = messagesOf(sentArguments());
  return (
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
};

/** OpenAI renamed the field, and other servers do not know the new name. */
const limitName = (baseUrl: string): string => (isAt(baseUrl, 'openai.com') ? 'max_completion_tokens' : 'max_tokens');

const isAt = (baseUrl: string, domain: string): boolean =>
  URL.canParse(baseUrl) && `.${new URL(baseUrl).hostname}`.endsWith(`.${domain}`);

const messagesOf =
  (toArguments: SentArguments) =>
  (input: ResponseItem[]): Message[] =>
    input.reduce<Message[]>((messages, item) => {
      const last = messages.at(-1);
      if (!isCall(item)) messages.push(...toMessage(item));
      else if (last && 'tool_calls' in last) last.tool_calls.push(toToolCall(toArguments, item));
      else messages.push({ role: 'assistant', content: null, tool_calls: [toToolCall(toArguments, item)] });
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
const toToolCall = (toArguments: SentArguments, call: ToolCallItem): ToolCall => ({
  id: call.call_id,
  type: 'function',
  function: {
    name: 'name' in call ? call.name : 'shell',
    arguments: textOf(toArguments, call),
  },
  ...('extra_content' in call && { extra_content: call.extra_content }),
});

const textOf = (toArguments: SentArguments, call: ToolCallItem): string => {
  if (call.type === 'function_call') return toArguments(call);
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
