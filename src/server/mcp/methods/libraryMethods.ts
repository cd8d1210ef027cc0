/** Prompts, resources and completion of 2026-07-28, each present only if there is something to show. Source: its pages `server/*`. */
import { catchError, defer, map, type Observable, of, throwError, zip } from 'rxjs';
import { type JsonObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, type Notification, type Request, RpcError } from '../../../protocol/jsonrpc/messages';
import { readComplete, readPromptParams, readUri, refuseCursor } from '../../../protocol/mcp/readParams';
import { HostError, type StoredConversation } from '../../../protocol/methods/host';
import { type Result, toResult } from '../../../protocol/rpc/answerOnce';
import { clipName, unknownMethod } from '../../../protocol/rpc/failureOutcome';
import type { Method as LaterMethod } from '../../../protocol/rpc/router';
import { clip } from '../../../streams/text/trim';
import { toVisible } from '../../../streams/text/visible';
import {
  argumentsIn,
  fillPrompt,
  type Library,
  MAX_LISTED_THREADS,
  modelsIn,
  type PromptFile,
  readPromptFile,
} from '../library';
import { type Command, type Method, type MethodDeps, reply, serverMeta } from './method';

/** What these methods need. */
export type LibraryDeps = Pick<MethodDeps, 'face' | 'library'>;

/** What is declared of them. */
export const libraryCapabilities = ({ library }: Pick<LibraryDeps, 'library'>): JsonObject => {
  const hasPrompts = library?.().hasPrompts() === true;
  const hasResources = library?.().hasThreads() === true || library?.().hasTapes() === true;
  return {
    ...(hasPrompts && { prompts: {} }),
    ...(hasResources && { resources: { subscribe: true, listChanged: true } }),
    ...((hasPrompts || hasResources) && { completions: {} }),
  };
};

/** The texts of a person change, and are nobody else's. */
const OWN = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** The methods that need a declared capability: an undeclared one is unknown. */
export const libraryMethods = (deps: LibraryDeps): Record<string, Method> => {
  const { face, library } = deps;
  if (library === undefined) return {};
  const declared = (name: string, method: Method): [string, Method] => [
    name,
    (request, era) => {
      if (!Object.hasOwn(libraryCapabilities(deps), CAPABILITY[name] ?? '')) throw unknownMethod(name);
      return method(request, era);
    },
  ];
  const toReply = (request: Request, members: object) =>
    reply(request, JSON.stringify({ ...OWN, ...members, _meta: serverMeta(face) }));
  const later = (request: Request): Command => ({ kind: 'later', request });
  return Object.fromEntries([
    declared('prompts/list', (request) => {
      refuseCursor(request.params);
      return toReply(request, { prompts: library().prompts().map(toListed) });
    }),
    declared('prompts/get', (request) => {
      const { name, arguments: given = {} } = readPromptParams(request.params);
      return toReply(request, toFilled(promptOf(library(), name), given));
    }),
    declared('resources/templates/list', (request) => {
      refuseCursor(request.params);
      return toReply(request, { resourceTemplates: templatesOf(library()) });
    }),
    ...['resources/list', 'resources/read', 'completion/complete'].map((name) => declared(name, later)),
  ]);
};

const CAPABILITY: Readonly<Record<string, string>> = {
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/read': 'resources',
  'resources/templates/list': 'resources',
  'completion/complete': 'completions',
};

const PARTS = { transcript: 'text/markdown', answer: 'text/markdown', diff: 'text/x-diff' } as const;
type Part = keyof typeof PARTS;

const TEMPLATES = (Object.keys(PARTS) as Part[]).map((part) => ({
  uriTemplate: `codex://threads/{threadId}/${part}`,
  name: part,
  description: { transcript: 'A whole thread', answer: 'Its last answer', diff: 'Its patches' }[part],
  mimeType: PARTS[part],
}));

const TAPE_TEMPLATE = {
  uriTemplate: 'codex://tapes/{tape}',
  name: 'tape',
  description: 'A recorded session, without times and ids',
  mimeType: 'text/plain',
};

const templatesOf = (library: Library): object[] => [
  ...(library.hasThreads() ? TEMPLATES : []),
  ...(library.hasTapes() ? [TAPE_TEMPLATE] : []),
];

const URI = /^codex:\/\/threads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(transcript|answer|diff)$/;

/** Source: completion/complete. */
const MAX_VALUES = 100;
const MAX_TITLE = 80;

/** The last answer of a thread, as results link to it. */
export const answerLink = (threadId: string) => ({
  type: 'resource_link' as const,
  uri: `codex://threads/${threadId}/answer`,
  name: 'The whole answer',
  mimeType: PARTS.answer,
});

/** The id of the thread whose resource has this URI; undefined for any other URI. */
export const threadOf = (uri: string): string | undefined => URI.exec(uri)?.[1];

type Later = LaterMethod<Request, Notification>;

/** The methods that read threads, or complete an argument. */
export const laterLibraryMethods = ({ face, library: open }: LibraryDeps): Record<string, Later> => {
  if (open === undefined) return {};
  const answer = (members$: Observable<object>): Observable<Result> =>
    members$.pipe(map((members) => toResult({ ...OWN, ...members, _meta: serverMeta(face) })));
  return {
    'resources/list': ({ params }) =>
      defer(() => {
        refuseCursor(params);
        return answer(listedResources(open()).pipe(map((resources) => ({ resources }))));
      }),
    'resources/read': ({ params }) => defer(() => answer(readResource(open(), readUri(params)))),
    'completion/complete': ({ params }) =>
      defer(() => {
        const { ref, argument } = readComplete(params);
        if (ref.type === 'ref/prompt') promptOf(open(), ref.name); // an unknown one is refused
        const values$ = valuesFor(open(), argument);
        return answer(
          values$.pipe(
            map((values) => ({ completion: { values: values.slice(0, MAX_VALUES), total: values.length } })),
          ),
        );
      }),
  };
};

/** Throws RpcError -32602 for a prompt that is not there. */
const promptOf = (library: Library, name: string): PromptFile => {
  const prompt = library.prompts().find((one) => one.name === name);
  if (prompt === undefined) throw new RpcError(INVALID_PARAMS, `Invalid params: no prompt ${clipName(name)}`);
  return prompt;
};

/** The threads that are listed as resources. */
export const listedThreads = ({ host }: Library): Observable<readonly StoredConversation[]> =>
  host().listStored({ limit: MAX_LISTED_THREADS });

const listedResources = (library: Library): Observable<JsonObject[]> =>
  zip(
    library.hasThreads() ? listedThreads(library) : of([]),
    library.hasTapes() ? library.host().listTapes() : of([]),
  ).pipe(map(([threads, tapes]) => [...threads.map(toResource), ...tapes.map(toTapeResource)]));

const toTapeResource = (name: string): JsonObject => ({
  uri: `codex://tapes/${encodeURIComponent(name)}`,
  name,
  title: toVisible(clip(name, MAX_TITLE)),
  mimeType: TAPE_TEMPLATE.mimeType,
});

const toResource = ({ id, preview, name = preview }: StoredConversation): JsonObject => ({
  uri: `codex://threads/${id}/transcript`,
  name: id,
  title: toVisible(clip(name === '' ? id : name, MAX_TITLE)),
  mimeType: PARTS.transcript,
});

const readResource = ({ host }: Library, uri: string): Observable<object> => {
  const [, id, part] = URI.exec(uri) ?? [];
  const tape = tapeOf(uri);
  if (id === undefined && tape === undefined) throw notFound(uri);
  const content$ =
    id === undefined
      ? host()
          .readTape(tape as string)
          .pipe(map((text) => ({ uri, mimeType: TAPE_TEMPLATE.mimeType, text })))
      : host()
          .readStored(id)
          .pipe(map((texts) => ({ uri, mimeType: PARTS[part as Part], text: texts[part as Part] })));
  return content$.pipe(
    map((content) => ({ contents: [content] })),
    catchError((error: Error) => throwError(() => (error instanceof HostError ? notFound(uri) : error))),
  );
};

const tapeOf = (uri: string): string | undefined => {
  const [, name = ''] = /^codex:\/\/tapes\/([^/]+)$/.exec(uri) ?? [];
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return undefined; // a % that stands for no byte
  }
};

const notFound = (uri: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: no resource ${clipName(uri)}`, { uri });

/** What an argument of this name may be: a model, a profile, a thread, a tape, a folder. Nothing for any other name. */
type Argument = { name: string; value: string };

const valuesFor = (library: Library, { name, value }: Argument): Observable<readonly string[]> => {
  const kind = name.toLowerCase().replaceAll(/[_-]/g, '');
  if (/^(?:cwd|dir|folder|path)$/.test(kind)) return of(library.folders(value));
  if (kind === 'tape') return startingWith(value, library.hasTapes() ? library.host().listTapes() : of([]));
  const all$ = /^(?:thread|threadid)$/.test(kind)
    ? listedThreads(library).pipe(map((threads) => threads.map(({ id }) => id)))
    : of(configured(library.host().savedConfig(), kind));
  return startingWith(value, all$);
};

const startingWith = (value: string, all$: Observable<readonly string[]>): Observable<readonly string[]> =>
  all$.pipe(map((all) => all.filter((one) => one.startsWith(value))));

const configured = (config: JsonObject, kind: string): string[] => {
  if (kind === 'profile') return Object.keys(toObject(config.profiles));
  return kind === 'model' ? modelsIn(config) : [];
};

/** A prompt as a list shows it. */
export const toListed = ({ name, text: file }: PromptFile): JsonObject => {
  const { description, text } = readPromptFile(file);
  const args = argumentsIn(text);
  return { name, ...(description && { description }), ...(args.length > 0 && { arguments: args }) };
};

/** The prompt with these arguments. Throws RpcError -32602 for a value that is missing. */
export const toFilled = ({ name, text: file }: PromptFile, given: Readonly<Record<string, string>>): JsonObject => {
  const { description, text } = readPromptFile(file);
  const missing = argumentsIn(text).find((one) => one.required && !Object.hasOwn(given, one.name));
  if (missing !== undefined) {
    throw new RpcError(
      INVALID_PARAMS,
      `Invalid params: the prompt ${clipName(name)} needs the argument ${missing.name}`,
    );
  }
  return {
    ...(description && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: fillPrompt(text, given) } }],
  };
};
