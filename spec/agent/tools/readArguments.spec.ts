import { planSpec, readPlanArguments } from '../../../src/agent/tools/builtInTools';
import { readShellArguments, shellSpec } from '../../../src/agent/tools/shellArguments';

describe('shellSpec', () => {
  it('is offered to a model in exactly this text', () => {
    expect(shellSpec()).toEqual({
      type: 'function',
      name: 'shell',
      description: 'Runs a command and returns its output. Use ["bash", "-lc", "SCRIPT"] where a shell is needed.',
      strict: false,
      parameters: {
        type: 'object',
        properties: {
          command: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            description: 'The program and its arguments; no shell is involved.',
          },
          workdir: { type: 'string', description: 'Folder to run in; relative to the folder of the session.' },
          timeout_ms: {
            type: 'integer',
            minimum: 0,
            maximum: 9007199254740991,
            description: 'Time limit in milliseconds. Default: 10000.',
          },
          with_escalated_permissions: {
            type: 'boolean',
            description: 'Ask the user for permission to run without restrictions.',
          },
          justification: {
            type: 'string',
            description: 'One sentence for the user: why this must run without restrictions.',
          },
        },
        required: ['command'],
        additionalProperties: false,
      },
    });
  });
});

describe('planSpec', () => {
  it('is offered to a model in exactly this text', () => {
    expect(planSpec()).toEqual({
      type: 'function',
      name: 'update_plan',
      description: 'Shows the user the plan of the work, step by step. At most one step is in progress at a time.',
      strict: false,
      parameters: {
        type: 'object',
        properties: {
          explanation: { type: 'string' },
          plan: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                step: { type: 'string' },
                status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
              },
              required: ['step', 'status'],
              additionalProperties: false,
            },
          },
        },
        required: ['plan'],
        additionalProperties: false,
      },
    });
  });
});

const FAILED = /^failed to parse function arguments: /;
const command = ['ls', ''];

describe('readShellArguments', () => {
  it.each([
    [{ command }, { command }],
    [
      { command, workdir: '', timeout_ms: 0, with_escalated_permissions: false, justification: 'j' },
      { command, workdir: '', timeout_ms: 0, with_escalated_permissions: false, justification: 'j' },
    ],
    [
      { command, timeout: 5 },
      { command, timeout_ms: 5 },
    ],
    [
      { command, timeout: 5, timeout_ms: 7 },
      { command, timeout_ms: 7 },
    ],
    [{ command, timeout_ms: null, workdir: null, timeout: null }, { command }],
    [
      { command, unknown: [1] },
      { command, unknown: [1] },
    ],
  ])('reads %j', (given, read) => {
    expect(readShellArguments(JSON.stringify(given))).toStrictEqual(read);
  });

  it.each([
    ['', /JSON/],
    ['{"command":["ls"]', /JSON/],
    ['null', /: expected an object$/],
    ['"ls"', /: expected an object$/],
    ['["ls"]', /: expected an object$/],
    ['{}', /: arguments\.command is missing$/],
    ['{"command":null}', /: arguments\.command is missing$/],
    ['{"command":" "}', /: arguments\.command must be a list, not a string$/],
    ['{"command":[]}', /: arguments\.command must not be empty$/],
    ['{"command":["ls",7]}', /: arguments\.command\.1 must be a string, not a number$/],
    ['{"command":["ls"],"timeout_ms":-1}', /: arguments\.timeout_ms must be at least 0$/],
    ['{"command":["ls"],"timeout_ms":1.5}', /: arguments\.timeout_ms must be a whole number, not a number$/],
    ['{"command":["ls"],"timeout":"10"}', /: arguments\.timeout_ms must be a number, not a string$/],
    [
      '{"command":["ls"],"workdir":7,"justification":7}',
      /: arguments\.workdir must be .*; arguments\.justification must be /,
    ],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(readShellArguments(text)).toMatch(FAILED);
    expect(readShellArguments(text)).toMatch(reason);
  });
});

describe('readPlanArguments', () => {
  const plan = [
    { step: 'a', status: 'completed' },
    { step: '', status: 'in_progress' },
    { step: 'c', status: 'pending' },
  ];

  it.each([
    [{ plan }, { plan }],
    [
      { explanation: 'why', plan: [] },
      { explanation: 'why', plan: [] },
    ],
    [{ explanation: null, plan }, { plan }],
  ])('reads %j', (given, read) => {
    expect(readPlanArguments(JSON.stringify(given))).toStrictEqual(read);
  });

  it.each([
    ['[]', /: expected an object$/],
    ['{}', /: arguments\.plan is missing$/],
    ['{"plan":[{"step":"a"}]}', /: arguments\.plan\.0\.status is missing$/],
    [
      '{"plan":[{"step":"a","status":"done"}]}',
      /: arguments\.plan\.0\.status must be "pending", "in_progress" or "completed"$/,
    ],
    ['{"plan":[{"step":"a","status":"pending","x":1}]}', /: arguments\.plan\.0 must not have "x"$/],
    ['{"plan":[],"x":1}', /: arguments must not have "x"$/],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(readPlanArguments(text)).toMatch(FAILED);
    expect(readPlanArguments(text)).toMatch(reason);
  });
});
