import { toLiveList } from '../../../src/cli/commands/rerun';
import { sessionFrom } from '../../support/tapes';

describe('toLiveList', () => {
  it('lists the flags, the folder, and what the client sends, each once', () => {
    expect(toLiveList(session, 'model')).toEqual([
      "starts with --record 'a b'",
      "starts with -c 'experimental_instructions_file=/home/v/.ssh/id_rsa'",
      'starts with --sandbox danger-full-access',
      'starts in /w',
      'sends tools/call name: "codex"',
      'sends tools/call arguments prompt: "go"',
      'sends tools/call arguments config sandbox_workspace_write.writable_roots: ["/","/etc"]',
      'sends sendUserMessage items type: "localImage"',
      'sends sendUserMessage items data path: "/home/v/secret.png"',
      `sends sendUserMessage items data text: "${'x'.repeat(199)}… (300 characters)`,
      `sends execOneOffCommand command: ["sh","-c","${'y'.repeat(300)}"]`,
    ]);
  });

  it('lists what the recorded model wants to be run, and the answers, if the executor is live', () => {
    expect(toLiveList(session, 'executor').slice(11)).toEqual([
      'runs shell {"command":["rm","-r","/"]}',
      'runs apply_patch *** Begin Patch',
      'runs {"type":"local_shell_call","action":{"command":["ls"]}}',
      'answers a question by {"decision":"approved"}',
    ]);
  });

  it('needs no command line, no folder and no line that is JSON', () => {
    expect(toLiveList(sessionFrom([0, 'in', 'no JSON'], [1, 'in', '[1,null]']), 'executor')).toEqual([
      'starts in this folder',
    ]);
  });
});

const call = {
  method: 'tools/call',
  params: {
    name: 'codex',
    arguments: { prompt: 'go', config: { 'sandbox_workspace_write.writable_roots': ['/', '/etc'] } },
  },
};

const items = [
  { type: 'localImage', data: { path: '/home/v/secret.png' } },
  { type: 'localImage', data: { text: 'x'.repeat(300) } },
];

const asked = (item: object) => ({
  entry: { t: 9, dir: 'out' as const, seam: 'model', call: 1, line: JSON.stringify({ kind: 'item', item }) },
  lineNumber: 9,
});

const { entries } = sessionFrom(
  [0, 'in', { id: 0, method: 'initialize', params: { clientInfo: { name: 'c' } } }],
  [1, 'in', { method: 'notifications/initialized' }],
  [2, 'in', { id: 1, ...call }],
  [
    3,
    'in',
    JSON.stringify([
      { id: 2, ...call },
      { id: 3, method: 'sendUserMessage', params: { items } },
    ]),
  ],
  [4, 'in', { id: 4, method: 'execOneOffCommand', params: { command: ['sh', '-c', 'y'.repeat(300)] } }],
  [5, 'out', { id: 9, method: 'elicitation/create', params: {} }],
  [6, 'in', { id: 9, result: { decision: 'approved' } }],
  [7, 'in', { id: 10, result: { decision: 'approved' } }],
);

const session = {
  meta: {
    version: 1,
    cwd: '/w',
    command: [
      'codex-rx',
      'mcp-server',
      '--record',
      'a b',
      '-c',
      'experimental_instructions_file=/home/v/.ssh/id_rsa',
      '--sandbox',
      'danger-full-access',
    ],
  },
  entries: [
    ...entries,
    asked({ type: 'message', content: [] }),
    asked({ type: 'function_call', name: 'shell', arguments: '{"command":["rm","-r","/"]}' }),
    asked({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' }),
    asked({ type: 'local_shell_call', action: { command: ['ls'] } }),
  ],
};
