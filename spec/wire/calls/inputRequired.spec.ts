import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, textOf } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'echo done > made.txt'] } }] },
        { items: [{ text: 'finished' }] },
      ],
    },
  ],
};

const elicitation = { elicitation: { form: {} } };
const made = ({ home }: Peer) => join(home.work, 'made.txt');
const callOf = (peer: Peer) => codexCall(peer, 'write', { 'approval-policy': 'untrusted' });

/** A call that has come to its question. */
const asked = async (launch = {}) => {
  const peer = startServer({ script, ...launch });
  const { result } = await peer.request('tools/call', modern(callOf(peer), elicitation));
  return { peer, result };
};

const retry = ({ peer, result }: { peer: Peer; result: Json }, own: Json, call = callOf(peer)) =>
  peer.request('tools/call', modern({ ...call, requestState: result.requestState, ...own }, elicitation));

const accepted = { 'approval-0': { action: 'accept', content: { decision: 'approved' } } };

describe('input_required', () => {
  it('ends the call with its question, and nothing is sent as a request', async () => {
    const { peer, result } = await asked();
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'approval-0': { method: 'elicitation/create', params: { codex_cwd: peer.home.work } } },
      requestState: expect.any(String),
    });
    expect(peer.messages.filter(({ id, method }) => method !== undefined && id !== undefined)).toEqual([]);
    expect(existsSync(made(peer))).toBe(false);
  });

  it('goes on where the call was, when it is repeated with the answer', async () => {
    const call = await asked();
    const { result } = await retry(call, { inputResponses: accepted });
    expect(readFileSync(made(call.peer), 'utf8')).toBe('done\n');
    expect(result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'finished' }],
      structuredContent: { threadId: call.result.inputRequests['approval-0'].params.threadId, content: 'finished' },
      _meta: expect.objectContaining({ 'io.modelcontextprotocol/serverInfo': expect.any(Object) }),
    });
  });

  it('takes no for an answer', async () => {
    const call = await asked();
    const { result } = await retry(call, { inputResponses: { 'approval-0': { action: 'decline' } } });
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ text: expect.stringMatching(/^finished\n\nNot done: .*: the client declined it$/) }],
    });
    expect(existsSync(made(call.peer))).toBe(false);
  });

  it.each([
    ['missing', {}],
    ['to no question', { inputResponses: { 'approval-77': { action: 'accept' }, other: {} } }],
    ['to a question of another kind', { inputResponses: { 'form-0': { action: 'accept', content: {} } } }],
    ['not to be read', { inputResponses: { 'approval-0': { action: 'perhaps' } } }],
    ['an accept without a choice', { inputResponses: { 'approval-0': { action: 'accept', content: {} } } }],
    ['an accept with the content null', { inputResponses: { 'approval-0': { action: 'accept', content: null } } }],
  ])('asks again when the answer is %s', async (_, own) => {
    const call = await asked();
    const again = await retry(call, own);
    expect(again.result).toMatchObject({ resultType: 'input_required', inputRequests: call.result.inputRequests });
    expect(existsSync(made(call.peer))).toBe(false);
    expect((await retry({ peer: call.peer, result: again.result }, { inputResponses: accepted })).result).toMatchObject(
      {
        resultType: 'complete',
      },
    );
  });

  it('declines with the reason when the second answer cannot be read either', async () => {
    const call = await asked();
    const bad = { inputResponses: { 'approval-0': { action: 'perhaps' } } };
    const again = await retry(call, bad);
    const answer = await retry({ peer: call.peer, result: again.result }, bad);
    expect(answer.result.resultType).toBe('complete');
    expect(textOf(answer)).toContain('could not be understood');
    expect(existsSync(made(call.peer))).toBe(false);
  });

  it('counts no answer to the question of another call', async () => {
    const call = await asked();
    const other = await call.peer.request('tools/call', modern(callOf(call.peer), elicitation));
    const [key] = Object.keys(other.result.inputRequests);
    const yes = accepted['approval-0'];
    const again = await retry(call, { inputResponses: { [key as string]: yes } });
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    call.peer.send({ id: 0, result: yes }, { id: 1, result: yes });
    await call.peer.request('tools/list', modern({}));
    expect(existsSync(made(call.peer))).toBe(false);
  });

  const refused = { code: -32602, message: expect.stringContaining('requestState') };

  it('refuses a state that was tampered with, that of another call, and that of a call which is over', async () => {
    const call = await asked();
    const { requestState } = call.result;
    const [body, mark] = requestState.split('.');
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), expires: 9e15 }),
    ).toString('base64url');
    for (const state of ['', 'x', body, `${forged}.${mark}`, `${body}.${mark}A`, `${mark}.${body}`]) {
      expect((await retry(call, { inputResponses: accepted, requestState: state })).error).toEqual(refused);
    }
    const other = codexCall(call.peer, 'write', { 'approval-policy': 'never' });
    expect((await retry(call, { inputResponses: accepted }, other)).error).toEqual(refused);
    expect(existsSync(made(call.peer))).toBe(false);

    expect(await retry(call, { inputResponses: accepted })).toMatchObject({ result: { resultType: 'complete' } });
    expect((await retry(call, { inputResponses: accepted })).error).toEqual(refused);
  });

  it('refuses the state of another process', async () => {
    const [one, two] = [await asked(), await asked()];
    const strange = { peer: one.peer, result: two.result };
    const answer = await retry(strange, { inputResponses: accepted });
    expect(answer.error).toEqual(refused);
    expect([existsSync(made(one.peer)), existsSync(made(two.peer))]).toEqual([false, false]);
  });

  it('is not for a client without elicitation on this very request', async () => {
    const peer = startServer({ script });
    await peer.request('server/discover', modern({}, elicitation));
    const answer = await peer.request('tools/call', modern(callOf(peer)));
    expect(answer.result.resultType).toBe('complete');
    expect(textOf(answer)).toContain('the client cannot be asked');
    expect(existsSync(made(peer))).toBe(false);
  });

  it('refuses a retry without elicitation that answers nothing, and the question stays open', async () => {
    const call = await asked();
    const { requestState } = call.result;
    const bare = modern({ ...callOf(call.peer), requestState });
    expect((await call.peer.request('tools/call', bare)).error).toEqual({
      code: -32021,
      message: expect.stringContaining('elicitation'),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect((await retry(call, { inputResponses: accepted })).result).toMatchObject({ resultType: 'complete' });
    expect(existsSync(made(call.peer))).toBe(true);
  });

  it('outlasts a cancellation of the request that it answered', async () => {
    const call = await asked();
    call.peer.send({ method: 'notifications/cancelled', params: { requestId: 0 } });
    call.peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await retry(call, { inputResponses: accepted })).result).toMatchObject({ resultType: 'complete' });
  });

  it('leaves nothing behind when the retry never comes', async () => {
    const { peer } = await asked();
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(existsSync(made(peer))).toBe(false);
  });
});
