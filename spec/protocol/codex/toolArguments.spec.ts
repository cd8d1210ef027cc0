import * as z from 'zod/mini';
import { CodexArguments, CodexReplyArguments } from '../../../src/protocol/codex/toolArguments';
import { faultsOf } from '../../../src/protocol/jsonrpc/checkParams';

const whole = {
  prompt: 'p',
  model: 'm',
  profile: 'q',
  cwd: '/w',
  'approval-policy': 'on-request',
  sandbox: 'workspace-write',
  config: { 'a.b': [1, { c: null }] },
  'base-instructions': 'b',
  'developer-instructions': 'd',
  'compact-prompt': 'c',
  'include-plan-tool': true,
};

const faults = (schema: z.core.$ZodType, value: unknown): string => {
  const { error } = z.safeParse(schema, value);
  return error === undefined ? 'none' : faultsOf(error, 'arguments');
};

describe('CodexArguments', () => {
  it('takes all that 0.28.0 and 0.153.4 take, and as little as a prompt', () => {
    expect(z.parse(CodexArguments(), whole)).toEqual(whole);
    expect(z.parse(CodexArguments(), { prompt: '' })).toEqual({ prompt: '' });
  });

  it.each([
    [{}, /^arguments\.prompt is missing$/],
    [{ ...whole, prompt: 7 }, /^arguments\.prompt must be a string, not a number$/],
    [
      { ...whole, 'approval-policy': 'always' },
      /^arguments\.approval-policy must be "untrusted", "on-failure", "on-request" or "never"$/,
    ],
    [
      { ...whole, sandbox: 'none' },
      /^arguments\.sandbox must be "read-only", "workspace-write" or "danger-full-access"$/,
    ],
    [{ ...whole, config: 'a=b' }, /^arguments\.config must be an object, not a string$/],
    [{ ...whole, 'include-plan-tool': 'yes' }, /^arguments\.include-plan-tool must be true or false, not a string$/],
    [{ ...whole, approvalPolicy: 'never' }, /^arguments must not have "approvalPolicy"$/],
    [[], /^arguments must be an object, not a list$/],
  ])('reports what is wrong: %#', (value, fault) => {
    expect(faults(CodexArguments(), value)).toMatch(fault);
  });

  it('describes every argument, and requires the prompt alone', () => {
    const schema = z.toJSONSchema(CodexArguments(), { io: 'input' });
    const described = Object.entries(schema.properties ?? {}).map(([name, about]) => [
      name,
      typeof (about as { description?: string }).description,
    ]);
    expect(described).toEqual(Object.keys(whole).map((name) => [name, 'string']));
    expect(schema).toMatchObject({ type: 'object', required: ['prompt'], additionalProperties: false });
  });
});

describe('CodexReplyArguments', () => {
  it.each([
    { prompt: 'p' },
    { prompt: 'p', threadId: 't' },
    { prompt: 'p', conversationId: 't' },
    { prompt: 'p', sessionId: 't' },
    { prompt: 'p', threadId: '', conversationId: '', sessionId: '' },
  ])('takes %j', (value) => {
    expect(z.parse(CodexReplyArguments(), value)).toEqual(value);
  });

  it.each([
    [{ threadId: 't' }, /^arguments\.prompt is missing$/],
    [{ prompt: 'p', threadId: 7 }, /^arguments\.threadId must be a string, not a number$/],
    [{ prompt: 'p', thread_id: 't' }, /^arguments must not have "thread_id"$/],
  ])('reports what is wrong with %j', (value, fault) => {
    expect(faults(CodexReplyArguments(), value)).toMatch(fault);
  });
});
