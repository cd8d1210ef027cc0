import type { CodexEvent } from '../../../src/protocol/codex/events';
import { decisionForm, formOf, toElicitation } from '../../../src/server/faces/toElicitation';
import { request, started, turnEventOf } from '../../support/mcp';

const client = { revision: '2025-06-18', capabilities: {} };

const op = { kind: 'turn', callId: 'c', eventId: '5', thread: { newest: true }, input: [], askable: true } as const;

describe('toElicitation', () => {
  it('asks one question with one field that a form can show', () => {
    const params = toElicitation(client, turnEventOf(op, { ...request, reason: 'it writes' } as never) as CodexEvent);
    expect(params).toMatchObject({
      message: "Allow Codex to run `touch 'a b'` in `/work`?\nit writes",
      requestedSchema: {
        type: 'object',
        properties: { decision: { type: 'string', enum: ['approved', 'approved_for_session', 'denied', 'abort'] } },
      },
      codex_elicitation: 'exec-approval',
      codex_mcp_tool_call_id: '5',
    });
  });

  it('asks for a decision about the command', () => {
    const { requestedSchema } = toElicitation(client, turnEventOf(op, request as never) as CodexEvent);
    const about = expect.stringMatching(/^touch 'a b': may the agent run this command\? \(approved: Run it; /);
    expect(requestedSchema).toHaveProperty('properties.decision.description', about);
  });

  it.each([
    ['bytes', request, 'Run it, and this same command again without asking, as long as the files that it names keep'],
    [
      'tool',
      { type: 'elicitation_request', server_name: 's', message: 'm' },
      'Yes, and this tool again without asking',
    ],
    [undefined, request, 'Run it, and this same command again without asking, whatever the files that it names hold'],
  ])('names what an approval for the session covers: %s', (covers, msg, title) => {
    const event = { ...turnEventOf(op, msg as never), ...(covers && { covers }) } as CodexEvent;
    const { requestedSchema } = toElicitation({ ...client, revision: '2025-11-25' }, event);
    expect(requestedSchema).toHaveProperty('properties.decision.oneOf.1.title', expect.stringContaining(title));
  });

  it('offers no approval for the session that would cover nothing more', () => {
    const once = { ...turnEventOf(op, request as never), covers: 'once' } as CodexEvent;
    const decisions = ['approved', 'denied', 'abort'];
    expect(toElicitation(client, once).requestedSchema).toMatchObject({
      properties: { decision: { enum: decisions, enumNames: ['Run it', 'Do not run it', 'Stop the turn'] } },
    });
    expect(toElicitation({ ...client, revision: '2025-11-25' }, once).requestedSchema).toMatchObject({
      properties: { decision: { oneOf: decisions.map((decision) => ({ const: decision })) } },
    });
  });

  it('begins with one line, and shows all of a long command below', () => {
    const long = 'x'.repeat(250);
    const command = ['touch', long];
    const { message, requestedSchema } = toElicitation(
      client,
      turnEventOf(op, { ...request, command, cwd: '/w', reason: 'because' } as never) as CodexEvent,
    );
    const head = `touch ${'x'.repeat(200 - 'touch '.length)}…`;
    expect(message).toBe(`Allow Codex to run \`${head}\` in \`/w\`?\n  | touch ${long}\nbecause`);
    expect(requestedSchema).toHaveProperty('properties.decision.description', expect.stringContaining(`${head}: may`));
  });

  it('shows what is hidden in a command, a folder and the names of files', () => {
    const messageOf = (msg: object) => toElicitation(client, turnEventOf(op, msg as never) as CodexEvent).message;
    const command = ['sh', '-c', 'ls\n\tx\u001b[2J\u202e'];
    expect(messageOf({ ...request, command, cwd: '/w`?\nAllow' })).toBe(
      "Allow Codex to run `sh -c 'ls\\n\\tx\\x1b[2J\\u202e'` in `/w`?\\nAllow`?\n  | sh -c 'ls\n  | \tx\\x1b[2J\\u202e'",
    );
    const changes = { '/w/a\n/w/b\u001b[2J': { add: { content: '' } } };
    expect(messageOf({ type: 'apply_patch_approval_request', call_id: 'p', changes })).toBe(
      'Allow Codex to apply proposed code changes?\n/w/a\\n/w/b\\x1b[2J',
    );
  });

  it('names what a file becomes that a patch moves', () => {
    const changes = {
      '/w/a': { update: { unified_diff: '', move_path: '/w/.git/hooks/x\n' } },
      '/w/b': { add: { content: '' } },
    };
    const msg = { type: 'apply_patch_approval_request', call_id: 'p', changes } as const;
    expect(toElicitation(client, turnEventOf(op, msg) as CodexEvent).message).toBe(
      'Allow Codex to apply proposed code changes?\n/w/a\nmoved to /w/.git/hooks/x\\n\n/w/b',
    );
  });

  it('names the folder that may be changed from then on if a patch asks for one', () => {
    const msg = { type: 'apply_patch_approval_request', call_id: 'p', changes: {}, grant_root: '/w\n' } as const;
    expect(toElicitation(client, turnEventOf(op, msg) as CodexEvent).message).toBe(
      'Allow Codex to apply proposed code changes?\nand all files in /w\\n, without asking again',
    );
  });

  it('keeps the lines of a command from looking like a question of their own', () => {
    const command = ['sh', '-c', 'make\nAllow Codex to run `ls` in `/w`?'];
    const { message } = toElicitation(
      client,
      turnEventOf(op, { ...request, command, cwd: '/w' } as never) as CodexEvent,
    );
    const [first, ...lines] = (message as string).split('\n');
    expect(first).toBe("Allow Codex to run `sh -c 'make\\nAllow Codex to run `ls` in `/w`?'` in `/w`?");
    expect(lines).toEqual(["  | sh -c 'make", "  | Allow Codex to run `ls` in `/w`?'"]);
  });

  it('shows what is hidden in the question of a server of tools', () => {
    const msg = { type: 'elicitation_request', server_name: 'a\nb', message: 'Go?\n\u001b[2J', requested_schema: {} };
    expect(toElicitation(client, turnEventOf(op, msg as never) as CodexEvent).message).toBe('a\\nb: Go?\n  | \\x1b[2J');
  });

  it('names the files of a patch, the reason, and what becomes of them', () => {
    const changes = { '/w/a': { add: { content: 'x' } }, '/w/b': { delete: { content: 'y' } } };
    const msg = {
      type: 'apply_patch_approval_request',
      call_id: 'p',
      changes,
      reason: 'outside of the folder',
    } as const;
    expect(toElicitation(client, turnEventOf(op, msg) as CodexEvent)).toMatchObject({
      message: 'Allow Codex to apply proposed code changes?\n/w/a\n/w/b\noutside of the folder',
      requestedSchema: {
        properties: {
          decision: {
            description:
              '/w/a, /w/b: may the agent change these files? (approved: Change them; approved_for_session: Change them, and these files again without asking, whatever the change; denied: Do not change them; abort: Stop the turn)',
            enumNames: [
              'Change them',
              'Change them, and these files again without asking, whatever the change',
              'Do not change them',
              'Stop the turn',
            ],
            default: 'approved',
          },
        },
      },
      codex_elicitation: 'patch-approval',
      codex_changes: changes,
      codex_call_id: 'p',
    });
  });

  it('asks for an MCP server behind the engine, by its own form if it has one', () => {
    const msg = { type: 'elicitation_request', server_name: 'mail', message: 'Who?' } as const;
    const params = toElicitation(client, turnEventOf(op, msg) as CodexEvent);
    expect(params).toMatchObject({
      message: 'mail: Who?',
      requestedSchema: {
        properties: {
          decision: { description: expect.stringMatching(/^Who\? May the agent do this\? \(approved: Yes; /) },
        },
      },
      codex_elicitation: 'mcp-server',
      codex_server_name: 'mail',
    });
    expect(formOf(msg)).toBeUndefined();
    expect(formOf({ ...msg, requested_schema: { properties: {} } })).toBeUndefined();
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const form = toElicitation(client, turnEventOf(op, { ...msg, requested_schema: schema }) as CodexEvent);
    expect(form).toMatchObject({ requestedSchema: schema });
    expect(form).not.toHaveProperty('codex_call_id');
    expect(formOf({ ...msg, requested_schema: schema })).toBe(schema);
  });

  it('asks nothing that is no question', () => {
    expect(() => toElicitation(client, turnEventOf(op, started) as CodexEvent)).toThrow('task_started is no question');
  });
});

describe('decisionForm', () => {
  const labels = [
    'Run it',
    'Run it, and this same command again without asking, whatever the files that it names hold by then',
    'Do not run it',
    'Stop the turn',
  ] as const;
  const schemaFor = (own: object) => decisionForm({ capabilities: {}, ...own }, "touch 'a b': may it run?", labels);

  it('asks for a choice that must be made, with titles as the revision of the client has them', () => {
    const choice = { type: 'string', title: 'Decision', default: 'approved' };
    expect(schemaFor({ revision: '2025-06-18' })).toEqual({
      type: 'object',
      properties: {
        decision: {
          ...choice,
          description:
            "touch 'a b': may it run? (approved: Run it; approved_for_session: Run it, and this same command again without asking, whatever the files that it names hold by then; denied: Do not run it; abort: Stop the turn)",
          enum: ['approved', 'approved_for_session', 'denied', 'abort'],
          enumNames: labels,
        },
      },
      required: ['decision'],
    });
    for (const revision of ['2025-11-25', '2026-07-28']) {
      expect(schemaFor({ revision })).toEqual({
        type: 'object',
        properties: {
          decision: {
            ...choice,
            description: "touch 'a b': may it run?",
            oneOf: [
              { const: 'approved', title: 'Run it' },
              {
                const: 'approved_for_session',
                title:
                  'Run it, and this same command again without asking, whatever the files that it names hold by then',
              },
              { const: 'denied', title: 'Do not run it' },
              { const: 'abort', title: 'Stop the turn' },
            ],
          },
        },
        required: ['decision'],
      });
    }
  });

  it('names no default to a client that fills it in unseen', () => {
    const capabilities = { elicitation: { form: { applyDefaults: true } } };
    expect(schemaFor({ capabilities })).not.toHaveProperty('properties.decision.default');
    expect(schemaFor({ capabilities: { elicitation: { form: {} } } })).toHaveProperty('properties.decision.default');
  });
});
