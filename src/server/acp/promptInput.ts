/** The blocks of a prompt as input for the agent. */
import type { PromptBlock } from '../../protocol/acp/params';
import type { UserInput } from '../../protocol/codex/operations';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';

/** The input. Throws RpcError for a prompt without anything to read, and for sound. */
export const toUserInput = (prompt: readonly PromptBlock[]): UserInput[] => {
  const input = prompt.map(toInput);
  if (input.some((one) => one.type !== 'text' || one.text.trim() !== '')) return input;
  throw new RpcError(INVALID_PARAMS, 'Invalid params: the prompt is empty');
};

const toInput = (block: PromptBlock): UserInput => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', url: `data:${block.mimeType};base64,${block.data}` };
    case 'resource_link':
      return { type: 'text', text: `[@${block.name}](${toPlace(block.uri)})` };
    case 'resource':
      return { type: 'text', text: toContext(block.resource) };
    case 'audio':
      throw new RpcError(INVALID_PARAMS, 'Invalid params: this agent does not take audio; send text');
  }
};

/** The path of a file, which the agent can read; any other address as it is. */
const toPlace = (uri: string): string => {
  if (!uri.startsWith('file:') || !URL.canParse(uri)) return uri;
  const { pathname } = new URL(uri);
  try {
    return decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:\/)/, '');
  } catch {
    return pathname; // a percent sign that begins no code
  }
};

type Resource = Extract<PromptBlock, { type: 'resource' }>['resource'];

/** Names the place of the text: an editor sends what it shows, which may not be saved. */
const toContext = (resource: Resource): string => {
  const place = toPlace(resource.uri);
  if (!('text' in resource)) return `[@${place}] (${resource.blob.length} characters of base64, not shown)`;
  return `<context ref="${place.replaceAll('"', '&quot;')}">\n${resource.text}\n</context>`;
};

/** The texts of a prompt, for its title. */
export const titleOf = (prompt: readonly PromptBlock[]): string =>
  prompt
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join(' ')
    .trim()
    .split('\n')[0] ?? '';
