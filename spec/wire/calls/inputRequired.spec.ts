import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, textOf } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterAll(endServers);

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
const callIn = (peer: Peer, cwd: string) => codexCall(peer, 'write', { 'approval-policy': 'untrusted', cwd });

/** A call that has come to its question, in a folder of its own; `key` names the question. */
type Asked = { peer: Peer; work: string; key: string; result: Json };

const askedBy = async (peer: Peer): Promise<Asked> => {
  const work = mkdtempSync(join(peer.home.work, 'call-'));
  const { result } = await peer.request('tools/call', modern(callIn(peer, work), elicitation));
  return { peer, work, key: Object.keys(result.inputRequests)[0] as string, result };
};

const askedAlone = () => askedBy(startServer({ script }));

const shared: { peer?: Peer } = {};

/** Asked by one server for all. */
const asked = () => {
  shared.peer ??= startServer({ script });
  return askedBy(shared.peer);
};

const retry = ({ peer, work, result }: Asked, own: Json, call = callIn(peer, work)) =>
  peer.request('tools/call', modern({ ...call, requestState: result.requestState, ...own }, elicitation));

const isMade = ({ work }: { work: string }): boolean => existsSync(join(work, 'made.txt'));
const APPROVED = { action: 'accept', content: { decision: 'approved' } };
const accepted = ({ key }: Asked) => ({ inputResponses: { [key]: APPROVED } });

describe('input_required', () => {
  it('ends the call with its question, and nothing is sent as a request', async () => {
    const { peer, work, result } = await askedAlone();
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'approval-0': { method: 'elicitation/create', params: { codex_cwd: work } } },
      requestState: expect.any(String),
    });
    expect(peer.messages.filter(({ id, method }) => method !== undefined && id !== undefined)).toEqual([]);
    expect(isMade({ work })).toBe(false);
  });

  it('goes on where the call was, when it is repeated with the answer', async () => {
    const call = await asked();
    const { result } = await retry(call, accepted(call));
    expect(readFileSync(join(call.work, 'made.txt'), 'utf8')).toBe('done\n');
    expect(result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'finished' }],
      structuredContent: expect.objectContaining({
        threadId: call.result.inputRequests[call.key].params.threadId,
        content: 'finished',
        durationMs: expect.any(Number),
      }),
      _meta: expect.objectContaining({ 'io.modelcontextprotocol/serverInfo': expect.any(Object) }),
    });
  });

  it('takes no for an answer', async () => {
    const call = await asked();
    const { result } = await retry(call, { inputResponses: { [call.key]: { action: 'decline' } } });
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ text: expect.stringMatching(/^finished\n\nNot done: .*: the client declined it$/) }],
    });
    expect(isMade(call)).toBe(false);
  });

  it.each<[string, (key: string) => Json | undefined]>([
    ['missing', () => undefined],
    ['to no question', () => ({ 'approval-77': { action: 'accept' }, other: {} })],
    ['to a question of another kind', () => ({ 'form-0': { action: 'accept', content: {} } })],
    ['not to be read', (key) => ({ [key]: { action: 'perhaps' } })],
    ['an accept without a choice', (key) => ({ [key]: { action: 'accept', content: {} } })],
    ['an accept with the content null', (key) => ({ [key]: { action: 'accept', content: null } })],
  ])('asks again when the answer is %s', async (_, responses) => {
    const call = await asked();
    const inputResponses = responses(call.key);
    const { result } = await retry(call, inputResponses === undefined ? {} : { inputResponses });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: call.result.inputRequests });
    expect(isMade(call)).toBe(false);
    expect((await retry({ ...call, result }, accepted(call))).result).toMatchObject({ resultType: 'complete' });
  });

  it('declines with the reason when the second answer cannot be read either', async () => {
    const call = await asked();
    const bad = { inputResponses: { [call.key]: { action: 'perhaps' } } };
    const { result } = await retry(call, bad);
    const answer = await retry({ ...call, result }, bad);
    expect(answer.result.resultType).toBe('complete');
    expect(textOf(answer)).toContain('could not be understood');
    expect(isMade(call)).toBe(false);
  });

  it('counts no answer to the question of another call', async () => {
    const call = await askedAlone();
    const other = await askedBy(call.peer);
    const again = await retry(call, accepted(other));
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    call.peer.send({ id: 0, result: APPROVED }, { id: 1, result: APPROVED });
    await call.peer.request('tools/list', modern({}));
    expect(isMade(call)).toBe(false);
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
      expect((await retry(call, { ...accepted(call), requestState: state })).error).toEqual(refused);
    }
    const other = codexCall(call.peer, 'write', { 'approval-policy': 'never', cwd: call.work });
    expect((await retry(call, accepted(call), other)).error).toEqual(refused);
    expect(isMade(call)).toBe(false);

    expect(await retry(call, accepted(call))).toMatchObject({ result: { resultType: 'complete' } });
    expect((await retry(call, accepted(call))).error).toEqual(refused);
  });

  it('refuses the state of another process', async () => {
    const [one, two] = [await asked(), await askedAlone()];
    const answer = await retry({ ...one, result: two.result }, accepted(two));
    expect(answer.error).toEqual(refused);
    expect([isMade(one), isMade(two)]).toEqual([false, false]);
  });

  it('is not for a client without elicitation on this very request', async () => {
    const peer = startServer({ script });
    await peer.request('server/discover', modern({}, elicitation));
    const answer = await peer.request('tools/call', modern(callIn(peer, peer.home.work)));
    expect(answer.result.resultType).toBe('complete');
    expect(textOf(answer)).toContain('the client cannot be asked');
    expect(isMade(peer.home)).toBe(false);
  });

  it('refuses a retry without elicitation that answers nothing, and the question stays open', async () => {
    const call = await asked();
    const { requestState } = call.result;
    const bare = modern({ ...callIn(call.peer, call.work), requestState });
    expect((await call.peer.request('tools/call', bare)).error).toEqual({
      code: -32021,
      message: expect.stringContaining('elicitation'),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect((await retry(call, accepted(call))).result).toMatchObject({ resultType: 'complete' });
    expect(isMade(call)).toBe(true);
  });

  it('outlasts a cancellation of the request that it answered', async () => {
    const call = await askedAlone();
    call.peer.send({ method: 'notifications/cancelled', params: { requestId: 0 } });
    call.peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await retry(call, accepted(call))).result).toMatchObject({ resultType: 'complete' });
  });

  it('leaves nothing behind when the retry never comes', async () => {
    const { peer, work } = await askedAlone();
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(isMade({ work })).toBe(false);
  });
});
