/** The request of the Chat Completions dialect; decodeChat reads its answer. */
import { pipe } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import {
  type ContentPart,
  imageMessage,
  isProviderItem,
  type ProviderItem,
  type ResponseItem,
  type ToolCallItem,
} from '../../../protocol/model/items';
import type { Model } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import type { ModelRequest, ToolSpec } from '../../../protocol/model/request';
import { flatten } from '../../../streams/gather';
import { askHttp, type HttpDeps } from '../../modelHttp/askHttp';
import { newCallId } from '../../modelHttp/callNames';
import { acceptedTools, NOTHING_REFUSED, type Refused } from '../../modelHttp/refused';
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
    refusable: REFUSABLE,
    toBody: chatBody,
    decode: () => pipe(flatten(), decodeChat({ newId: () => newCallId(deps.random) })),
  });

/** A text that demands thoughts does not refuse them. */
const REFUSABLE = {
  stream_options: /\b(?:stream_options|include_usage)\b/,
  max_tokens: /\buse\b.{0,20}\bmax_completion_tokens\b/i,
  thoughts:
    /^(?!.*(?:passed? back|missing|required))(?=.*\breasoning(?:_\w+)?\b)(?=.*(?:\bnot\b|\bun\w+|invalid|extra))/is,
};

/**
 * A request as Chat Completions takes it. Calls made together go into one message, as servers require, with the thoughts that led to them.
 * Source: Codex 0.28.0, bodies of POST /chat/completions; images, usage and calls made together are ours. Mistral sends the usage unasked, and refuses
 * unknown fields.
 */
export const chatBody = (
  { model, instructions, input, tools, maxOutputTokens }: ModelRequest,
  { baseUrl = '' }: Pick<Provider, 'baseUrl'>,
  refused: Refused = NOTHING_REFUSED,
) => {
  const hasUsage = !isAt(baseUrl, 'mistral.ai') && !refused.members.has('stream_options');
  const known = withPictures(input).filter((item) => !isProviderItem(item));
  const kept = refused.members.has('thoughts') ? known.filter(({ type }) => type !== 'reasoning') : known;
  return {
    model,
    messages: joinNeighbours([{ role: 'system', content: instructions }, ...kept.map(toMessage)]),
    stream: true,
    ...(hasUsage && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { [limitName(baseUrl, refused)]: maxOutputTokens }),
    ...toTools(acceptedTools(tools, refused)),
  };
};

/** The dialect has only functions; so the shell is a function for every model. */
const toTools = (tools: readonly ToolSpec[]) => {
  const functions = tools.flatMap((tool) => (tool.type === 'function' ? [tool] : []));
  return functions.length === 0 ? {} : { tools: functions.map(({ type, ...tool }) => ({ type, function: tool })) };
};

/** OpenAI renamed the field, and other servers do not know the new name; Azure asks for it. */
const limitName = (baseUrl: string, { members }: Refused): string =>
  isAt(baseUrl, 'openai.com') || members.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';

const isAt = (baseUrl: string, domain: string): boolean =>
  URL.canParse(baseUrl) && `.${new URL(baseUrl).hostname}`.endsWith(`.${domain}`);

type ToolCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: JsonObject;
};
type Content = string | object[] | null;
/** A message; an assistant's may have calls, and thoughts under the names that its server uses. */
type Message = { role: string; content: Content; tool_calls?: ToolCall[]; tool_call_id?: string };

/** The pictures of outputs are messages of the user after all outputs of an answer: a message of a tool has only text. */
const withPictures = (input: readonly ResponseItem[]): readonly ResponseItem[] => {
  if (!input.some((item) => 'output' in item && item.images)) return input;
  let waiting: ResponseItem[] = [];
  const all = input.flatMap((item): ResponseItem[] => {
    if ('output' in item) {
      waiting = [...waiting, ...(item.images ?? []).map(imageMessage)];
      return [item];
    }
    const pictures = waiting;
    waiting = [];
    return [...pictures, item];
  });
  return [...all, ...waiting];
};

const toMessage = (item: Exclude<ResponseItem, ProviderItem>): Message => {
  switch (item.type) {
    case 'message':
      return { role: roleOf(item.role), content: toContent(item.role, item.content) };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', tool_call_id: item.call_id, content: item.output };
    case 'reasoning':
      return { role: 'assistant', content: null, ...item.extra_content };
    default:
      return { role: 'assistant', content: null, tool_calls: [toToolCall(item)] };
  }
};

/** Most servers know no role of the developer. Source: DeepSeek, vLLM, llama.cpp; OpenAI takes the one for the other. */
const roleOf = (role: string): string => (role === 'developer' ? 'system' : role);

/**
 * Joins neighbours of one role, and moves the instructions to the first message: templates of many models refuse a conversation whose roles do not
 * alternate, or a system message that is not the first. Thoughts without a call after them are left out.
 * Source: templates of Mistral, Gemma, Qwen, as quoted in public reports; vLLM, llama.cpp.
 */
const joinNeighbours = (messages: readonly Message[]): Message[] => {
  const instructions = messages.filter(({ role }) => role === 'system');
  const others = messages.filter(({ role }) => role !== 'system');
  return [...instructions, ...others]
    .reduce<Message[]>((all, message) => {
      const last = all.at(-1);
      if (last === undefined || last.role !== message.role || last.role === 'tool') all.push(message);
      else all.splice(-1, 1, joined(last, message));
      return all;
    }, [])
    .filter(({ role, content, tool_calls }) => role !== 'assistant' || content !== null || tool_calls !== undefined);
};

const joined = (last: Message, { content, tool_calls: calls, ...message }: Message): Message => ({
  ...last,
  ...message,
  content: joinedContent(last.content, content),
  ...((last.tool_calls || calls) && { tool_calls: [...(last.tool_calls ?? []), ...(calls ?? [])] }),
});

const joinedContent = (last: Content, next: Content): Content => {
  if (!last || last.length === 0) return next;
  if (!next || next.length === 0) return last;
  return typeof last === 'string' && typeof next === 'string'
    ? `${last}\n\n${next}`
    : [...partsOf(last), ...partsOf(next)];
};

const partsOf = (content: string | object[]): object[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

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
