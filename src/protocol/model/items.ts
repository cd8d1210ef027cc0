/** Entries of a conversation, in the names of the Responses API. */
import type { JsonObject } from '../jsonrpc/json';

/** A part of a message: text that the user or the model wrote, or an image by its URL. */
export type ContentPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'output_text'; text: string };

/**
 * A function call that the model asks for; `arguments` is JSON text as the model wrote it. `extra_content` goes back to the server unchanged.
 * Source: Gemini over Chat Completions, which refuses a call that comes back without its thought signature.
 */
export type FunctionCall = {
  type: 'function_call';
  id?: string | null;
  name: string;
  arguments: string;
  call_id: string;
  extra_content?: JsonObject;
};

/** A call of a free-form tool: `input` is text as the model wrote it, not JSON. */
export type CustomToolCall = {
  type: 'custom_tool_call';
  id?: string | null;
  status?: string;
  call_id: string;
  name: string;
  input: string;
};

/** A call of the built-in tool `local_shell` of models made for code; `action` is a command as the model wrote it. */
export type LocalShellCall = {
  type: 'local_shell_call';
  id?: string | null;
  call_id: string;
  status: string;
  action: JsonObject;
};

/** A call of a tool, in any form. */
export type ToolCallItem = FunctionCall | CustomToolCall | LocalShellCall;

/**
 * An item that a provider made and reads again: the encrypted summary of a conversation, or a search of the web.
 * Source: rollouts of codex 0.142.0 and later; `compaction_summary` and `context_compaction` are names of the first.
 */
export type ProviderItem =
  | { type: 'compaction' | 'compaction_summary' | 'context_compaction'; encrypted_content: string }
  | { type: 'web_search_call'; status?: string; action?: JsonObject };

/** True for an item that only the Responses API has. */
export const isProviderItem = (item: ResponseItem): item is ProviderItem =>
  item.type === 'web_search_call' || item.type.endsWith('compaction') || item.type === 'compaction_summary';

/** One entry of a conversation, in the names of the Responses API. Source: Codex 0.28.0, bodies of POST /responses. */
export type ResponseItem =
  | {
      type: 'message';
      id?: string | null;
      role: string;
      content: ContentPart[];
      /** `commentary` or `final_answer`; goes back, as models from gpt-5.3-codex on work worse without it. */
      phase?: string;
    }
  | {
      type: 'reasoning';
      id: string;
      summary: { type: 'summary_text'; text: string }[];
      content?: { type: string; text: string }[] | null;
      encrypted_content?: string | null;
      /** Thoughts of Chat Completions: members that go back to the server with the message after them. */
      extra_content?: JsonObject;
    }
  | ToolCallItem
  | {
      type: 'function_call_output' | 'custom_tool_call_output';
      call_id: string;
      output: string;
      /** Pictures that the output has besides its text, by their URLs. */
      images?: readonly string[];
    }
  | ProviderItem;

/** True for a call of a tool, in any form. */
export const isCall = (item: ResponseItem): item is ToolCallItem =>
  item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'local_shell_call';

/** The name of the tool that is called. */
export const toolOf = (call: ToolCallItem): string => ('name' in call ? call.name : 'local_shell');

/** A picture as a message of the user. */
export const imageMessage = (image_url: string): ResponseItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_image', image_url }],
});
