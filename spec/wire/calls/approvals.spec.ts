import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askableServer, codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterAll(endServers);

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        {
          items: [{ call: 'shell', args: { command: ['sh', '-c', 'printf done > made.txt; echo made it'] }, id: 'c1' }],
        },
        { items: [{ text: 'It said: {{output}}' }] },
      ],
    },
  ],
};

const untrusted = { 'approval-policy': 'untrusted' };
const madeIn = (work: string) => join(work, 'made.txt');

/** Calls the tool in a folder of its own, and waits for the question. */
const askedBy = async (peer: Peer, id: number) => {
  const work = mkdtempSync(join(peer.home.work, 'call-'));
  const answer = peer.request('tools/call', codexCall(peer, 'write', { ...untrusted, cwd: work }), id);
  const question = await peer.nextOf('elicitation/create');
  return { peer, work, answer, question };
};

const asked = async (launch = {}) => askedBy(await askableServer({ script, ...launch }), 1);

const shared: { peer?: Peer; calls: number } = { calls: 0 };

/** Asked by one server for all. */
const answered = async (reply: Json) => {
  shared.peer ??= await askableServer({ script });
  shared.calls += 1;
  const id = shared.calls;
  const { peer, work, answer, question } = await askedBy(shared.peer, id);
  peer.send({ id: question.id, ...reply });
  return { work, id, answer: await answer };
};

describe('an approval', () => {
  it('shows the command, where it runs and the form of the answer', async () => {
    const { work, question } = await asked();
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'elicitation/create',
      params: {
        message: `Allow Codex to run \`sh -c 'printf done > made.txt; echo made it'\` in \`${work}\`?`,
        requestedSchema: {
          type: 'object',
          properties: { decision: expect.objectContaining({ type: 'string', enum: expect.any(Array) }) },
          required: ['decision'],
        },
        threadId: expect.any(String),
        codex_elicitation: 'exec-approval',
        codex_mcp_tool_call_id: '1',
        codex_event_id: '1',
        codex_call_id: 'c1',
        codex_command: ['sh', '-c', 'printf done > made.txt; echo made it'],
        codex_cwd: work,
      },
    });
    expect(existsSync(madeIn(work))).toBe(false);
  });

  it.each([
    ['an accepted form with a decision', { result: { action: 'accept', content: { decision: 'approved' } } }],
    ['the decision of the old clients', { result: { decision: 'approved' } }],
  ])('runs the command by %s', async (_, reply) => {
    const { work, id, answer } = await answered(reply);
    expect(readFileSync(madeIn(work), 'utf8')).toBe('done');
    const content = 'It said: made it\n';
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id,
      result: {
        content: [{ type: 'text', text: content }],
        structuredContent: expect.objectContaining({ threadId: expect.any(String), content, commands: 1 }),
      },
    });
  });

  it.each([
    ['decline', { result: { action: 'decline' } }, 'It said: exec command rejected by user'],
    ['the old denial', { result: { decision: 'denied' } }, 'It said: exec command rejected by user'],
    ['an error', { error: { code: -32000, message: 'no dialog' } }, 'error -32000: no dialog'],
    ['nonsense', { result: { action: 'perhaps' } }, 'could not be understood'],
    ['no result at all', { result: null }, 'could not be understood'],
  ])('does not run the command by %s, and the turn goes on', async (_, reply, emitted) => {
    const { work, answer } = await answered(reply);
    expect(existsSync(madeIn(work))).toBe(false);
    expect(textOf(answer)).toContain(emitted);
    expect(answer.result.isError).toBeUndefined();
  });

  it.each([
    ['a dismissal', { result: { action: 'cancel' } }, 'the question was dismissed'],
    ['a decline', { result: { action: 'decline' } }, 'the client declined it'],
  ])('goes on after %s, and the result names what was not done', async (_, reply, why) => {
    const { work, answer } = await answered(reply);
    expect(existsSync(madeIn(work))).toBe(false);
    expect(answer.result.isError).toBeUndefined();
    expect(textOf(answer)).toContain(`\n\nNot done: \`sh -c 'printf done > made.txt; echo made it'\`: ${why}`);
  });

  it.each([
    ['without fields', { action: 'accept', content: {} }, 'without a choice'],
    ['without content', { action: 'accept' }, 'without a choice'],
    ['with the content null', { action: 'accept', content: null }, 'without a choice'],
    [
      'with a choice that was not offered',
      { action: 'accept', content: { decision: 'yes' } },
      'chose none of approved',
    ],
    ['with two choices', { action: 'accept', content: { decision: ['approved', 'abort'] } }, 'chose none of approved'],
  ])(
    'is no yes when the form is accepted %s; the person, the client and the model read why',
    async (_, result, why) => {
      const { work, answer } = await answered({ result });
      expect(existsSync(madeIn(work))).toBe(false);
      const about =
        "It said: exec command rejected: .*\n\nNot done: `sh -c 'printf done > made.txt; echo made it'`: .*";
      expect(textOf(answer)).toMatch(new RegExp(`^${about}${why}`));
      expect(answer.result.structuredContent.content).toBe(textOf(answer));
    },
  );

  it.each(['0.28', '0.153'])(
    'is no yes in the face of %s either when it is accepted without a decision',
    async (face) => {
      const { peer, work, answer, question } = await asked({ args: ['--face', face] });
      expect(question.params.requestedSchema).toEqual({ type: 'object', properties: {} });
      peer.send({ id: question.id, result: { action: 'accept', content: {} } });
      expect(textOf(await answer)).toContain('without a choice');
      expect(existsSync(madeIn(work))).toBe(false);
    },
  );

  it('stops the turn by the decision abort', async () => {
    const { work, answer } = await answered({ result: { decision: 'abort' } });
    expect(existsSync(madeIn(work))).toBe(false);
    expect(answer.result.isError).toBe(true);
    expect(textOf(answer)).toContain('The turn was stopped.');
    expect(textOf(answer)).toContain(answer.result.structuredContent.threadId);
  });

  it('is not asked of a client without the capability, and the result names what was not done', async () => {
    const peer = startServer({ script });
    await greet(peer);
    const answer = await peer.request('tools/call', codexCall(peer, 'write', untrusted));
    expect(textOf(answer)).toContain(
      "Not done: `sh -c 'printf done > made.txt; echo made it'`: the client cannot be asked",
    );
    expect(peer.messages.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
    expect(existsSync(madeIn(peer.home.work))).toBe(false);
  });

  it('counts as declined when nobody answers in time, and is withdrawn', async () => {
    const { peer, work, answer, question } = await asked({ args: ['--ask-timeout', '1'] });
    expect(textOf(await answer)).toContain('nobody answered within 1 s');
    const { params } = await peer.nextOf('notifications/cancelled');
    expect(params).toEqual({ requestId: question.id, reason: 'nobody answered within 1 s' });
    peer.send({ id: question.id, result: { decision: 'approved' } });
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    expect(existsSync(madeIn(work))).toBe(false);
  });

  it('is not asked again for a command that was approved for the session', async () => {
    const { peer, answer, question } = await asked();
    peer.send({ id: question.id, result: { decision: 'approved_for_session' } });
    const { threadId } = (await answer).result.structuredContent;
    const again = await peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt: 'write' } });
    expect(textOf(again)).toBe('It said: made it\n');
    expect(peer.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });
});
