import { InvalidArguments, readToolArguments } from '../../../../src/server/mcp/methods/callTool';

const read = (tool: 'codex' | 'codex-reply', args: Record<string, unknown>) => readToolArguments[tool]!(args);

describe('toolCalls', () => {
  it('reads every argument of codex by its kebab-case name', () => {
    const args = {
      prompt: 'go',
      model: 'm',
      profile: 'p',
      cwd: '/w',
      'approval-policy': 'never',
      sandbox: 'read-only',
      config: { a: 1 },
      'base-instructions': 'b',
      'developer-instructions': 'd',
      'compact-prompt': 'c',
      'include-plan-tool': true,
    };
    expect(read('codex', args)).toEqual({
      prompt: 'go',
      thread: {
        start: {
          model: 'm',
          profile: 'p',
          cwd: '/w',
          approvalPolicy: 'never',
          sandbox: 'read-only',
          config: { a: 1 },
          baseInstructions: 'b',
          developerInstructions: 'd',
          compactPrompt: 'c',
          includePlanTool: true,
        },
      },
    });
  });

  it('goes on with the thread whose file the config names', () => {
    const id = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    const config = { experimental_resume: `/s/rollout-2026-11-23T18-00-00-${id}.jsonl` };
    expect(read('codex', { prompt: 'go', cwd: '/w', config })).toEqual({
      prompt: 'go',
      thread: { id },
      lasting: { cwd: '/w' },
    });
  });

  it('takes null for absent', () => {
    expect(read('codex', { prompt: 'go', model: null })).toEqual({
      prompt: 'go',
      thread: { start: expect.anything() },
    });
  });

  it('takes an empty text for absent, but not that of a prompt', () => {
    const names = [
      'model',
      'cwd',
      'profile',
      'sandbox',
      'approval-policy',
      'base-instructions',
      'developer-instructions',
    ];
    const empty = Object.fromEntries([...names, 'compact-prompt'].map((name) => [name, '']));
    expect(read('codex', { prompt: '', ...empty })).toEqual({ prompt: '', thread: { start: {} } });
    expect(read('codex-reply', { prompt: 'go', threadId: 't', conversationId: '', cwd: '' })).toEqual({
      prompt: 'go',
      thread: { id: 't' },
    });
  });

  it.each([
    [{ threadId: 't' }, { id: 't' }],
    [{ conversationId: 't' }, { id: 't' }],
    [{ sessionId: 't' }, { id: 't' }],
    [{ sessionId: 't', threadId: 't' }, { id: 't' }],
    [{}, { newest: true }],
  ])('finds the thread of codex-reply by %j', (ids, thread) => {
    expect(read('codex-reply', { prompt: 'on', ...ids })).toEqual({ prompt: 'on', thread });
  });

  it.each([
    ['codex', {}, 'The arguments of codex do not fit: `prompt` is missing.'],
    ['codex', { prompt: 5 }, 'The arguments of codex do not fit: `prompt` must be a string, not a number.'],
    [
      'codex',
      { prompt: '', sandbox: 'none' },
      '`sandbox` must be "read-only", "workspace-write" or "danger-full-access".',
    ],
    [
      'codex',
      { prompt: '', baseInstruction: '' },
      'codex has no argument `baseInstruction`. Did you mean `base-instructions`?',
    ],
    ['codex', { prompt: '', zzz: 1 }, 'codex has no argument `zzz`. It takes prompt, model, profile, cwd, '],
    ['codex-reply', { prompt: '', thread_id: '' }, 'codex-reply has no argument `thread_id`. Did you mean `threadId`?'],
    [
      'codex-reply',
      { prompt: '', threadId: 'a', sessionId: 'b' },
      'threadId, conversationId and sessionId name different threads',
    ],
  ] as const)('refuses %s %j', (tool, args, text) => {
    expect(() => read(tool, args)).toThrow(InvalidArguments);
    expect(() => read(tool, args)).toThrow(text);
  });

  it('reads where a thread goes on', () => {
    const reply = readToolArguments['codex-reply'];
    expect(reply?.({ prompt: 'x', threadId: 't', cwd: '/w', config: { environment_id: 'box' } })).toEqual({
      prompt: 'x',
      thread: { id: 't' },
      lasting: { cwd: '/w', config: { environment_id: 'box' } },
    });
    expect(() => reply?.({ prompt: 'x', config: { model: 'm' } })).toThrow(/has no argument `model`/);
  });
});
