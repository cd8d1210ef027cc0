/** The request of the Responses dialect; decodeResponses reads its answer. */
import type { ContentPart, ResponseItem } from '../../../protocol/model/items';
import type { Model } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import type { ModelRequest } from '../../../protocol/model/request';
import { lazy } from '../../../streams/lazy';
import { askHttp, type HttpDeps } from '../../modelHttp/askHttp';
import { newCallId } from '../../modelHttp/callNames';
import { acceptedTools, NOTHING_REFUSED, type Refused } from '../../modelHttp/refused';
import { toSentArguments } from '../../modelHttp/request';
import { decodeResponses } from './decodeResponses';

/**
 * A model behind the Responses API: POST {baseUrl}/responses, the whole conversation each time.
 * @param version of codex-rx, for the User-Agent
 * Emits as `Model` does.
 * Source: Codex 0.28.0, bodies and headers of POST /responses; parallel calls and max_output_tokens are ours.
 */
export const responsesModel = (deps: HttpDeps & { version: string }): ((provider: Provider) => Model) => {
  const userAgent = lazy(() => toUserAgent(deps.version));
  return askHttp(deps, {
    path: 'responses',
    saysBusy: true,
    toOwnHeaders: ({ threadId }, { originator }) => ({
      'OpenAI-Beta': 'responses=experimental',
      session_id: threadId,
      originator: originator ?? 'codex_cli_rs',
      'User-Agent': userAgent(),
    }),
    refusable: REFUSABLE,
    toBody: (request, _, refused) => responsesBody(request, refused),
    toSentBody: (request, _, refused) => sentBody(request, refused),
    decode: () => decodeResponses({ newId: () => newCallId(deps.random) }),
  });
};

/** OpenAI writes summaries for verified organizations only. */
const REFUSABLE = {
  include: /\breasoning\.encrypted_content\b|['"`\s]include\b/,
  prompt_cache_key: /\bprompt_cache_key\b/,
  parallel_tool_calls: /\bparallel_tool_calls\b/,
  store: /\bun(?:known|supported|recognized|expected)\b[^.]{0,40}\bstore\b/i,
  summary: /\breasoning[._ ]summar(?:y|ies)\b/,
  encrypted_content: /\binvalid_encrypted_content\b/,
};

/** A request as the Responses API takes it, with keys in the order in which Codex sends them. */
export const responsesBody = (request: ModelRequest, refused = NOTHING_REFUSED) => ({
  ...sentBody(request, refused),
  input: [...inputItems(request, refused)],
});

/** The same, whose input is made item by item: a conversation may have hundreds of thousands. */
const sentBody = (request: ModelRequest, refused: Refused) => {
  const { model, instructions, tools } = request;
  const options = Object.entries(toOptions(request, refused)).filter(([name]) => !refused.members.has(name));
  const accepted = acceptedTools(tools, refused);
  return { model, instructions, input: inputItems(request, refused), tools: accepted, ...Object.fromEntries(options) };
};

function* inputItems({ input, store }: ModelRequest, { members }: Refused): Generator<object> {
  const isReadable = (item: ResponseItem) => !(members.has('encrypted_content') && isEncrypted(item));
  for (const item of input) if ((store || isWhole(item)) && isReadable(item)) yield toInputItem(item);
}

/** Only the account for which it was made can use it. Source: OpenAI, after another login, or the move of a thread to Azure. */
const isEncrypted = (item: ResponseItem): boolean => item.type === 'reasoning' && Boolean(item.encrypted_content);

/** The server knows reasoning that it does not store by its content only; that of Chat Completions is not known here. */
const isWhole = (item: ResponseItem): boolean =>
  item.type !== 'reasoning' || Boolean(item.encrypted_content) || (item.content?.length ?? 0) > 0;

const toOptions = (
  { threadId, reasoning, store, maxOutputTokens, verbosity, serviceTier }: ModelRequest,
  { members }: Refused,
) => ({
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: reasoning && members.has('summary') ? { effort: reasoning.effort } : reasoning,
  store,
  stream: true,
  include: !store && reasoning !== null ? ['reasoning.encrypted_content'] : [],
  prompt_cache_key: threadId,
  ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
  ...(verbosity !== undefined && { text: { verbosity } }),
  ...(serviceTier !== undefined && { service_tier: serviceTier }),
});

const toInputItem = (item: ResponseItem) => {
  switch (item.type) {
    case 'message':
      return toMessage(item);
    case 'function_call': {
      const { type, id = null, name, call_id } = item;
      return { type, id, name, arguments: toSentArguments(item.arguments), call_id };
    }
    case 'custom_tool_call': {
      const { type, id = null, status, call_id, name, input } = item;
      return { type, id, ...(status !== undefined && { status }), call_id, name, input };
    }
    case 'local_shell_call': {
      const { type, id = null, call_id, status, action } = item;
      return { type, id, call_id, status, action };
    }
    case 'reasoning':
      return toReasoning(item);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { type: item.type, call_id: item.call_id, output: toOutput(item) };
    default:
      return item;
  }
};

/**
 * A message of the assistant without an id is sent without that member, and each picture has its `detail`.
 * Source: vLLM of 17 August 2026 responds with 400 to a message whose id is null, and to a picture without `detail`.
 */
const toMessage = ({ type, id = null, role, content, phase }: ResponseItem & { type: 'message' }) => ({
  type,
  ...(id === null && role === 'assistant' ? {} : { id }),
  role,
  content: content.some((part) => part.type === 'input_image') ? content.map(toPart) : content,
  ...(phase !== undefined && { phase }),
});

/** Parts if there are pictures: some servers take nothing but a text. */
const toOutput = ({ output, images = [] }: Extract<ResponseItem, { output: string }>) =>
  images.length === 0
    ? output
    : [
        { type: 'input_text', text: output },
        ...images.map((image_url) => ({ type: 'input_image', image_url, detail: 'auto' })),
      ];

const toPart = (part: ContentPart) => (part.type === 'input_image' ? { ...part, detail: 'auto' } : part);

/** `content` goes back as null if it was absent, and not at all if none of it is reasoning text. */
const toReasoning = ({
  type,
  id,
  summary,
  content,
  encrypted_content = null,
}: ResponseItem & { type: 'reasoning' }) => ({
  type,
  id,
  summary,
  ...(content && !content.some((part) => part.type === 'reasoning_text') ? {} : { content: content ?? null }),
  encrypted_content,
});

const os = lazy(() => require('node:os') as typeof import('node:os'));

/**
 * Names this program and the machine it runs on, for a User-Agent header.
 *   codex-rx/0.1.0 (Linux 6.1.0; x64)
 */
export const toUserAgent = (version: string): string => {
  return `codex-rx/${version} (${os().type()} ${os().release()}; ${os().arch()})`.replace(/[^ -~]/g, '_');
};
