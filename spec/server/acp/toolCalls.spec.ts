import {
  ofChanges,
  ofChangesEnd,
  ofCommand,
  ofInvocation,
  ofInvocationEnd,
  ofOutput,
  toTitle,
} from '../../../src/server/acp/toolCalls';

describe('a command as a tool call', () => {
  it('is shown by its script, as what it does, with its files', () => {
    const parsed_cmd = [{ type: 'search' as const, cmd: 'rg x src', query: 'x', path: 'src' }];
    expect(ofCommand({ command: ['bash', '-lc', 'rg x src'], cwd: '/w', parsed_cmd })).toEqual({
      title: 'rg x src',
      kind: 'search',
      locations: [{ path: '/w/src' }],
      rawInput: { command: ['bash', '-lc', 'rg x src'], cwd: '/w' },
    });
  });

  it('has a title of one line, without unseen characters', () => {
    expect(toTitle('a\nb\u202ec')).toBe('a\\nb\\u202ec');
    expect(toTitle('a'.repeat(300))).toHaveLength(201);
  });

  it('has its output between fences that it cannot close', () => {
    expect(ofOutput('a\n````\n')).toEqual([
      { type: 'content', content: { type: 'text', text: '`````\na\n````\n`````' } },
    ]);
    expect(ofOutput('')).toEqual([]);
  });
});

describe('a patch as a tool call', () => {
  it('has a diff for each hunk, by absolute paths', () => {
    const unified_diff = '@@ -1,2 +1,2 @@\n same\n-old\n+new\n@@ -9 +9 @@\n-last\n\\ No newline at end of file\n+end\n';
    expect(
      ofChanges(
        { 'a.txt': { update: { unified_diff, move_path: null } }, '/w/b.txt': { add: { content: 'b\n' } } },
        '/w',
      ),
    ).toEqual({
      title: 'Edit a.txt, /w/b.txt',
      kind: 'edit',
      locations: [{ path: '/w/a.txt' }, { path: '/w/b.txt' }],
      content: [
        { type: 'diff', path: '/w/a.txt', oldText: 'same\nold\n', newText: 'same\nnew\n' },
        { type: 'diff', path: '/w/a.txt', oldText: 'last', newText: 'end\n' },
        { type: 'diff', path: '/w/b.txt', oldText: null, newText: 'b\n' },
      ],
    });
  });

  it.each(['\r', '\u2028', '\u2029'])(
    'shows all of a line in which %j stands before what looks like the head of a hunk',
    (end) => {
      const unified_diff = `@@ -1 +1,2 @@\n-old\n+/*${end}@@*/ run();\n+new\n`;
      expect(ofChanges({ '/w/a': { update: { unified_diff, move_path: null } } }, '/w').content).toEqual([
        { type: 'diff', path: '/w/a', oldText: 'old\n', newText: `/*${end}@@*/ run();\nnew\n` },
      ]);
    },
  );

  it('is a move or a deletion if it is nothing else', () => {
    const moved = { update: { unified_diff: '@@\n-a\n+b\n', move_path: '/w/new' } };
    expect(ofChanges({ '/w/old': moved }, '/w')).toMatchObject({
      kind: 'move',
      locations: [{ path: '/w/old' }, { path: '/w/new' }],
      content: [{ path: '/w/new' }],
    });
    expect(ofChanges({ '/w/old': { delete: { content: 'a' } } }, '/w')).toMatchObject({
      kind: 'delete',
      content: [{ oldText: 'a', newText: '' }],
    });
  });

  it('has the reason why it was not applied', () => {
    const msg = { type: 'patch_apply_end', call_id: 'c', stdout: '', stderr: 'no such line', success: false } as const;
    expect(ofChangesEnd(msg)).toMatchObject({
      status: 'failed',
      content: [{ content: { text: '```\nno such line\n```' } }],
    });
    expect(ofChangesEnd({ ...msg, success: true })).toEqual({ status: 'completed' });
  });
});

describe('a tool of a server as a tool call', () => {
  const invocation = { server: 'docs', tool: 'find', arguments: { word: 'x' } };
  const about = { type: 'mcp_tool_call_end', call_id: 'c', invocation, duration: { secs: 0, nanos: 0 } } as const;

  it('is named after its server', () => {
    expect(ofInvocation(invocation)).toEqual({ title: 'docs.find', kind: 'other', rawInput: { word: 'x' } });
  });

  it('has the blocks of the result that ACP has too', () => {
    const content = [
      { type: 'text', text: 'found', annotations: {} },
      { type: 'image', data: 'AA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'a:b', text: 't', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'a:b' } },
      { type: 'strange' },
      5,
    ];
    expect(ofInvocationEnd({ ...about, result: { Ok: { content } } })).toEqual({
      status: 'completed',
      content: [
        { type: 'content', content: { type: 'text', text: 'found' } },
        { type: 'content', content: { type: 'image', data: 'AA', mimeType: 'image/png' } },
        { type: 'content', content: { type: 'resource', resource: { uri: 'a:b', text: 't', mimeType: 'text/plain' } } },
      ],
    });
  });

  it('fails with its error', () => {
    expect(ofInvocationEnd({ ...about, result: { Err: 'gone' } })).toMatchObject({ status: 'failed' });
    expect(ofInvocationEnd({ ...about, result: { Ok: { content: [], isError: true } } })).toEqual({
      status: 'failed',
      content: [],
    });
  });
});
