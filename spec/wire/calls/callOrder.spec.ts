/** Calls of one answer of the model, in the real program: those that write run one after another, those that only read side by side. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askableServer, codexCall, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer } from '../../support/daemon/peer';

afterEach(endServers);

const shell = (id: string, ...command: string[]) => ({ call: 'shell', args: { command }, id });
const script = (...calls: object[]) => ({
  scenes: [{ when: 'go', answers: [{ items: calls }, { items: [{ text: 'It printed: {{output}}' }] }] }],
});

/** What begins and ends, by the ids of the calls. */
const orderOf = ({ messages }: Peer): string[] =>
  messages.flatMap(({ params }) => {
    const { type, call_id } = params?.msg ?? {};
    if (type === 'exec_command_begin') return [`${call_id} begins`];
    return type === 'exec_command_end' ? [`${call_id} ends`] : [];
  });

describe('the calls of one answer', () => {
  it('see what those before them wrote', async () => {
    const peer = await askableServer({
      script: script(shell('a', 'sh', '-c', 'sleep 0.2; echo first > made.txt'), shell('b', 'cat', 'made.txt')),
    });
    const answer = await peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' }), 1);
    expect(textOf(answer)).toBe('It printed: first\n');
    expect(orderOf(peer)).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('run side by side if they only read: the second ends while the first still waits', async () => {
    const peer = await askableServer({ script: script(shell('a', 'cat', 'one'), shell('b', 'cat', 'two')) });
    const [one, two] = ['one', 'two'].map((name) => join(peer.home.work, name)) as [string, string];
    execFileSync('mkfifo', [one, two]);
    const answer = peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'untrusted' }), 1);
    const event = (type: string, id: string) =>
      peer.next(({ params }) => params?.msg?.type === type && params.msg.call_id === id, `${type} of ${id}`);
    await Promise.all([event('exec_command_begin', 'a'), event('exec_command_begin', 'b')]);
    writeFileSync(two, 'second');
    await event('exec_command_end', 'b');
    writeFileSync(one, 'first');
    expect(textOf(await answer)).toBe('It printed: second');
    expect(orderOf(peer)).toEqual(['a begins', 'b begins', 'b ends', 'a ends']);
  });

  it('ask one question at a time', async () => {
    const peer = await askableServer({ script: script(shell('a', 'touch', 'a'), shell('b', 'touch', 'b')) });
    const answer = peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'untrusted' }), 1);
    const questions = () => peer.messages.filter(({ method }) => method === 'elicitation/create');
    const approve = ({ id }: Json) =>
      peer.send({ id, result: { action: 'accept', content: { decision: 'approved' } } });
    const first = await peer.nextOf('elicitation/create');
    await peer.request('ping', {}, 'p'); // a second question would have come before
    expect(questions()).toEqual([first]);
    approve(first);
    approve(await peer.nextOf('elicitation/create'));
    await answer;
    expect(questions().map(({ params }) => params.codex_call_id)).toEqual(['a', 'b']);
    expect(orderOf(peer)).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});
