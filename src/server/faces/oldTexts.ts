/** The texts of old releases for calls that could not begin; their clients match on them. */
import { type OldTools, oldArgumentText, TOOLS_028, TOOLS_0153 } from './oldArguments';

/** Texts of an old release. */
export type OldTexts = {
  /** A result. */
  unknownTool: (name: string) => string;
  /** A result. */
  invalidArguments: (tool: string, about: { args: unknown; text: string }) => string;
  /** Our text in the words of the release. */
  rejected: (text: string) => string;
};

const unknownTool = (name: string): string => `Unknown tool '${name}'`;

/** @param id the field with the id of a thread @param noThread the text if no thread is named */
const textsOf = (tools: OldTools, id: string, noThread: string): OldTexts => ({
  unknownTool,
  invalidArguments: (tool, about) => oldArgumentText(tools, tool, about),
  rejected: (text) => (NO_THREAD.test(text) ? noThread : oldRejection(text, id)),
});

/** Our own sentences for what the originals wrote in short. */
const NOT_FOUND = /^Session not found for thread_id: (?<id>[^ ]+)\. .*$/s;
const NO_THREAD = /^There is no thread on this connection/;
const WRONG_SETTINGS = /^Failed to load Codex configuration: (?:argument [^:]*: )?/;
const UUID = /^(?:urn:uuid:)?[0-9a-f-]+$/i;

/** @param name the field with the id of a thread */
const oldRejection = (text: string, name: string): string => {
  const id = NOT_FOUND.exec(text)?.groups?.id;
  if (id === undefined) return text.replace(WRONG_SETTINGS, 'Failed to load Codex configuration from overrides: ');
  return UUID.test(id) ? `Session not found for ${name}: ${id}` : `Failed to parse ${name}: ${notHexadecimal(id)}`;
};

const notHexadecimal = (id: string): string => {
  const at = id.search(/[^0-9a-fA-F-]/);
  return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${id[at]}\` at ${at + 1}`;
};

/** Source: Codex 0.28.0, WIRE 4.1 and 5. */
export const TEXTS_028: OldTexts = textsOf(
  TOOLS_028,
  'session_id',
  'Failed to parse configuration for Codex tool: missing field `sessionId`',
);

/** Source: Codex 0.142.0, tapes v142-*. */
export const TEXTS_0153: OldTexts = textsOf(
  TOOLS_0153,
  'thread_id',
  'Failed to parse thread_id: either threadId or conversationId must be provided',
);
