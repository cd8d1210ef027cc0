/** What a client can read of a Codex home: the port, and what its files say. */
import type { Observable } from 'rxjs';
import { type JsonObject, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import type { CodexHost } from '../../protocol/methods/host';

/** A prompt that the user keeps in the folder `prompts` of the Codex home. */
export type PromptFile = {
  /** The name of the file, without `.md`. */
  name: string;
  text: string;
};

/** What has become of the threads since the last look at them. */
export type ThreadChange = {
  /** The ids of threads that are new, or were written to. */
  changed: readonly string[];
  /** True if a thread or a tape came or went. */
  isListChanged: boolean;
};

/** The most threads that are listed, and looked at for changes: the newest. */
export const MAX_LISTED_THREADS = 100;

/** Looks at the disk each time. A file or folder that cannot be read is left out; links are not followed. */
export type Library = {
  /** True if the home has a prompt. */
  hasPrompts: () => boolean;
  /** By name. */
  prompts: () => readonly PromptFile[];
  /** True if the home has a thread. */
  hasThreads: () => boolean;
  /** True if the home has this thread. */
  hasThread: (id: string) => boolean;
  /** True if a tape is offered. */
  hasTapes: () => boolean;
  /** Emits what becomes of the listed threads and tapes, whichever program writes them. Never completes, never errors. */
  threadChange$: Observable<ThreadChange>;
  /** The folders that a path may go on with. */
  folders: (path: string) => readonly string[];
  /** Has the threads and the configuration; called when they are needed. */
  host: () => CodexHost;
};

/** A prompt as its file has it: what its head in YAML says, and the text below. Source: Codex 0.142.0. */
export const readPromptFile = (file: string): { description?: string; hint?: string; text: string } => {
  const { whole, head } = headOf(file);
  const about = { description: fieldOf(head, 'description'), hint: fieldOf(head, 'argument-hint') };
  return { ...withoutUndefined(about), text: file.slice(whole.length) };
};

/** The head of a file in YAML, with and without its marks; empty texts if there is none. */
export const headOf = (file: string): { whole: string; head: string } => {
  const [whole = '', head = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(file) ?? [];
  return { whole, head };
};

/** A field of one line; undefined if the head has none of that name. */
export const fieldOf = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.+)$`, 'm')
    .exec(head)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');

/** `$1` to `$9`, `$ARGUMENTS`, `$NAME`; `$$` is a dollar. Source: Codex 0.142.0. */
const PLACE = /\$(?:\$|([1-9])|([A-Z][A-Z0-9_]*))/g;
/** Stands for all numbered arguments. */
const ALL = 'ARGUMENTS';

/** The arguments that the text of a prompt has places for, each once, in their order. A named one needs a value; a numbered one without a value is empty. */
export const argumentsIn = (text: string): { name: string; required: boolean }[] => {
  const names = [...text.matchAll(PLACE)].flatMap(([, digit, name]) => digit ?? name ?? []);
  return [...new Set(names)].map((name) => ({ name, required: name !== ALL && !/^\d$/.test(name) }));
};

/** The text of a prompt with these arguments. */
export const fillPrompt = (text: string, given: Readonly<Record<string, string>>): string => {
  const numbered = Object.entries(given).filter(([name]) => /^[1-9]$/.test(name));
  const values = new Map([[ALL, numbered.map(([, value]) => value).join(' ')], ...Object.entries(given)]);
  return text.replace(PLACE, (_, digit?: string, name?: string) => {
    const place = digit ?? name;
    return place === undefined ? '$' : (values.get(place) ?? '');
  });
};

/** The models that a `config.toml` and its profiles name, each once. */
export const modelsIn = (saved: JsonObject): string[] => {
  const tables = [saved, ...Object.values(toObject(saved.profiles)).map(toObject)];
  return [...new Set(tables.flatMap(({ model }) => (typeof model === 'string' ? [model] : [])))];
};
