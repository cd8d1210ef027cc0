/** Entries of a conversation, in the names of the Responses API. */

export type ContentPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'output_text'; text: string };

/** A function call the model asks for; `arguments` is JSON text as the model wrote it. */
export type FunctionCall = {
  type: 'function_call';
  id?: string | null;
  name: string;
  arguments: string;
  call_id: string;
};

/**
 * One entry of a conversation, in the names of the Responses API.
 * Source: Codex 0.28.0, bodies of POST /responses.
 */
export type ResponseItem =
  | { type: 'message'; id?: string | null; role: string; content: ContentPart[] }
  | {
      type: 'reasoning';
      id: string;
      summary: { type: 'summary_text'; text: string }[];
      content?: { type: string; text: string }[] | null;
      encrypted_content?: string | null;
    }
  | FunctionCall
  | { type: 'function_call_output'; call_id: string; output: string };
