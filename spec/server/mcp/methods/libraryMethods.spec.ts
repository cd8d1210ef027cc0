import { map, NEVER, of, throwError } from 'rxjs';
import { HostError } from '../../../../src/protocol/methods/host';
import { faceOf } from '../../../../src/server/faces/faceOf';
import type { Library } from '../../../../src/server/mcp/library';
import { mcpServer } from '../../../../src/server/mcp/mcpServer';
import { libraryCapabilities } from '../../../../src/server/mcp/methods/libraryMethods';
import { hostWith } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';
import { asks, initialize, mcpDeps, modern } from '../../../support/mcp';

const ID = '00000000-0000-4000-8000-00000000000a';
const stored = { id: ID, preview: 'make a\nfile' } as never;

const full: Library = {
  hasPrompts: () => true,
  hasThreads: () => true,
  prompts: () => [{ name: 'fix', text: 'Fix $FILE' }],
  hasTapes: () => true,
  hasThread: () => true,
  threadChange$: NEVER,
  folders: (path) => [`${path}one`],
  host: () =>
    hostWith({
      listStored: () => of([stored]),
      listTapes: () => of(['a day.jsonl', 'b.jsonl']),
      readTape: (name) => (name === 'a day.jsonl' ? of('> tools/list\n') : throwError(() => new HostError('gone'))),
      readStored: (id) =>
        id === ID ? of({ transcript: '# T', answer: 'A', diff: 'D' }) : throwError(() => new HostError('gone')),
      savedConfig: () => ({ model: 'big', profiles: { deep: { model: 'bigger' }, quick: {} } }),
    }),
};

const empty: Library = { ...full, hasPrompts: () => false, hasThreads: () => false, hasTapes: () => false };

type Answer = { result?: Record<string, unknown>; error?: { code: number; data?: unknown } };

/** What a server with this library answers. */
const answer = (library: Library, method: string, params: object = {}): Answer => {
  const found: Answer[] = [];
  const deps = mcpDeps({ library: () => library });
  of(modern(asks(1, method, params)))
    .pipe(
      mcpServer(deps),
      map((line) => JSON.parse(line)),
    )
    .subscribe((message) => found.push(message));
  return found[0] ?? {};
};

const answered = (...asked: Parameters<typeof answer>) => {
  const { result, error } = answer(...asked);
  return result ?? error?.code;
};

const read = (uri: string) => answered(full, 'resources/read', { uri });
const complete = (name: string, value: string) =>
  answered(full, 'completion/complete', { ref: { type: 'ref/prompt', name: 'fix' }, argument: { name, value } });

describe('prompts and resources', () => {
  it('are declared only if there are some', () => {
    expect(libraryCapabilities({ library: () => full })).toEqual({
      prompts: {},
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
    expect(libraryCapabilities({ library: () => empty })).toEqual({});
    expect(answered(full, 'server/discover')).toMatchObject({
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} },
    });
  });

  it.each([
    'prompts/list',
    'prompts/get',
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'completion/complete',
  ])('are unknown without a declaration: %s', (method) => {
    expect(answered(empty, method)).toBe(-32601);
  });

  it(
    'are not there for older revisions, so that nothing that lists capabilities is surprised',
    marbles(({ cold, expectObservable }) => {
      const line$ = cold('(ip)', { i: initialize('i', '2025-11-25'), p: asks('p', 'prompts/list') });
      const seen$ = line$.pipe(
        mcpServer(mcpDeps({ library: () => full, face: faceOf('union', '0.1.0') })),
        map((line) => JSON.parse(line)),
        map(({ result, error }) => result?.capabilities ?? error.code),
      );
      expectObservable(seen$).toBe('(IP)', { I: { tools: {}, logging: {} }, P: -32601 });
    }),
  );

  it('are listed, and read', () => {
    expect(answered(full, 'prompts/list')).toMatchObject({ cacheScope: 'private', prompts: [{ name: 'fix' }] });
    expect(answered(full, 'prompts/get', { name: 'fix', arguments: { FILE: 'a' } })).toMatchObject({
      messages: [{ content: { text: 'Fix a' } }],
    });
    expect(answered(full, 'prompts/get', { name: '../fix' })).toBe(-32602);
    expect(answered(full, 'resources/list')).toMatchObject({
      resources: [
        { uri: `codex://threads/${ID}/transcript`, title: 'make a\\nfile' },
        { uri: 'codex://tapes/a%20day.jsonl', title: 'a day.jsonl', mimeType: 'text/plain' },
        { uri: 'codex://tapes/b.jsonl' },
      ],
    });
    expect(answered(full, 'resources/templates/list')).toMatchObject({
      resourceTemplates: [{ name: 'transcript' }, { name: 'answer' }, { name: 'diff' }, { name: 'tape' }],
    });
    expect(read(`codex://threads/${ID}/answer`)).toMatchObject({
      contents: [{ text: 'A', mimeType: 'text/markdown' }],
    });
    expect(read('codex://tapes/a%20day.jsonl')).toMatchObject({
      contents: [{ text: '> tools/list\n', mimeType: 'text/plain' }],
    });
  });

  it.each([
    ['tapes', { hasThreads: () => false }, ['codex://tapes/a%20day.jsonl', 'codex://tapes/b.jsonl'], ['tape']],
    ['threads', { hasTapes: () => false }, [`codex://threads/${ID}/transcript`], ['transcript', 'answer', 'diff']],
  ])('are of %s alone if there is nothing else', (_, parts, uris, templates) => {
    const library = { ...full, ...parts };
    const { resources } = answered(library, 'resources/list') as { resources: { uri: string }[] };
    const { resourceTemplates } = answered(library, 'resources/templates/list') as {
      resourceTemplates: { name: string }[];
    };
    expect(resources.map(({ uri }) => uri)).toEqual(uris);
    expect(resourceTemplates.map(({ name }) => name)).toEqual(templates);
  });

  it.each([
    ['another thread', 'codex://threads/00000000-0000-4000-8000-00000000000b/diff'],
    ['a part that is none', `codex://threads/${ID}/secrets`],
    ['a path', 'codex://threads/../../auth.json/diff'],
    ['a file', 'file:///etc/passwd'],
    ['a tape that is not offered', 'codex://tapes/other.jsonl'],
    ['no name', 'codex://tapes/'],
    ['a name that is none', 'codex://tapes/%'],
  ])('are not found by the URI of %s', (_, uri) => {
    expect(answer(full, 'resources/read', { uri }).error).toMatchObject({ code: -32602, data: { uri } });
  });

  it.each(['prompts/list', 'resources/list', 'resources/templates/list'])('have one page: %s', (method) => {
    expect(answered(full, method, { cursor: 'eyJwYWdlIjogM30=' })).toBe(-32602);
  });

  it.each([
    ['a prompt that is not there', { ref: { type: 'ref/prompt', name: 'gone' } }],
    ['a prompt without a name', { ref: { type: 'ref/prompt' } }],
    ['a resource without a URI', { ref: { type: 'ref/resource' } }],
    ['a reference of another kind', { ref: { type: 'ref/tool', name: 'fix' } }],
    ['values that are no texts', { context: { arguments: { model: 1 } } }],
  ])('complete nothing for %s', (_, params) => {
    const valid = { ref: { type: 'ref/prompt', name: 'fix' }, argument: { name: 'model', value: '' } };
    expect(answered(full, 'completion/complete', { ...valid, ...params })).toBe(-32602);
  });

  it.each([
    ['model', 'b', ['big', 'bigger']],
    ['PROFILE', 'd', ['deep']],
    ['threadId', '0000', [ID]],
    ['tape', 'a', ['a day.jsonl']],
    ['cwd', '/w', ['/wone']],
    ['FILE', 'a', []],
  ])('complete the argument %s: %s', (name, value, values) => {
    expect(complete(name, value)).toMatchObject({ completion: { values, total: values.length } });
  });
});
