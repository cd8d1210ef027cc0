import { oldArgumentText, TEXTS_028, TEXTS_0153, TOOLS_028, TOOLS_0153 } from '../../../src/server/faces/oldArguments';

const text = 'our own';
const PREFIX = 'Failed to parse configuration for Codex tool: ';

describe('oldArgumentText', () => {
  it.each<[unknown, string]>([
    [{}, 'missing field `prompt`'],
    [{ prompt: 5 }, 'invalid type: integer `5`, expected a string'],
    [{ prompt: 0.5 }, 'invalid type: floating point `0.5`, expected a string'],
    [{ prompt: null }, 'invalid type: null, expected a string'],
    [{ prompt: ['x'] }, 'invalid type: sequence, expected a string'],
    [{ prompt: { a: 1 } }, 'invalid type: map, expected a string'],
    [
      { prompt: 'x', 'approval-policy': 'sometimes' },
      'unknown variant `sometimes`, expected one of `untrusted`, `on-failure`, `on-request`, `never`',
    ],
    [
      { prompt: 'x', sandbox: 'none' },
      'unknown variant `none`, expected one of `read-only`, `workspace-write`, `danger-full-access`',
    ],
    [{ prompt: 'x', sandbox: 7 }, 'invalid type: integer `7`, expected string or map'],
    [{ prompt: 'x', 'include-plan-tool': 'yes' }, 'invalid type: string "yes", expected a boolean'],
    [{ prompt: 'x', model: true }, 'invalid type: boolean `true`, expected a string'],
    [{ prompt: 'x', config: 'text' }, 'invalid type: string "text", expected a map'],
    ['text', 'invalid type: string "text", expected struct CodexToolCallParam'],
    [{ prompt: 'x', model: null, approvalPolicy: 'never' }, text],
  ])('of 0.28.0 for %j', (args, reason) => {
    expect(oldArgumentText(TOOLS_028, 'codex', { args, text })).toBe(PREFIX + reason);
  });

  it.each([undefined, null])('names the fields where arguments are %s', (args) => {
    expect(oldArgumentText(TOOLS_028, 'codex', { args, text })).toBe(
      'Missing arguments for codex tool-call; the `prompt` field is required.',
    );
    expect(oldArgumentText(TOOLS_028, 'codex-reply', { args, text })).toBe(
      'Missing arguments for codex-reply tool-call; the `session_id` and `prompt` fields are required.',
    );
    expect(oldArgumentText(TOOLS_0153, 'codex-reply', { args, text })).toBe(
      'Missing arguments for codex-reply tool-call; the `thread_id` and `prompt` fields are required.',
    );
  });

  it('of 0.142.0 names an argument that it does not know, and the ones it does', () => {
    const args = { prompt: 'x', approvalPolicy: 'never' };
    expect(oldArgumentText(TOOLS_0153, 'codex', { args, text })).toBe(
      `${PREFIX}unknown field \`approvalPolicy\`, expected one of \`prompt\`, \`model\`, \`cwd\`, \`approval-policy\`, \`sandbox\`, \`config\`, \`base-instructions\`, \`developer-instructions\`, \`compact-prompt\``,
    );
  });

  it('of 0.142.0 names a number without its value', () => {
    expect(oldArgumentText(TOOLS_0153, 'codex', { args: { prompt: 5 }, text })).toBe(
      `${PREFIX}invalid type: number, expected a string`,
    );
    expect(oldArgumentText(TOOLS_0153, 'codex-reply', { args: { sessionId: 'x' }, text })).toBe(
      `${PREFIX}missing field \`prompt\``,
    );
  });

  it('of codex-reply names what is missing', () => {
    expect(oldArgumentText(TOOLS_028, 'codex-reply', { args: { sessionId: 'x' }, text })).toBe(
      `${PREFIX}missing field \`prompt\``,
    );
  });
});

const UUID = '11111111-2222-4333-8444-555555555555';

describe('TEXTS_028', () => {
  it('names tools and threads as 0.28.0 did', () => {
    expect(TEXTS_028.unknownTool('nope')).toBe("Unknown tool 'nope'");
    const hints = 'The newest is x. Start one with the tool codex.';
    expect(TEXTS_028.rejected(`Session not found for thread_id: ${UUID}. ${hints}`)).toBe(
      `Session not found for session_id: ${UUID}`,
    );
    expect(TEXTS_028.rejected(`Session not found for thread_id: nope. ${hints}`)).toBe(
      'Failed to parse session_id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1',
    );
    expect(TEXTS_028.rejected('There is no thread on this connection yet. Start one.')).toBe(
      'Failed to parse configuration for Codex tool: missing field `sessionId`',
    );
  });

  it('begins a configuration that cannot be used as 0.28.0 did, and keeps what helps', () => {
    const own =
      'Failed to load Codex configuration: argument profile: config profile `nope` not found in /h/config.toml';
    expect(TEXTS_028.rejected(own)).toBe(
      'Failed to load Codex configuration from overrides: config profile `nope` not found in /h/config.toml',
    );
    expect(TEXTS_028.rejected('The agent is busy.')).toBe('The agent is busy.');
  });
});

describe('TEXTS_0153', () => {
  it('names threads as 0.142.0 did', () => {
    expect(TEXTS_0153.rejected(`Session not found for thread_id: ${UUID}. Start one.`)).toBe(
      `Session not found for thread_id: ${UUID}`,
    );
    expect(TEXTS_0153.rejected('There is no thread on this connection yet. Start one.')).toBe(
      'Failed to parse thread_id: either threadId or conversationId must be provided',
    );
  });
});
