import type { CodexEvent, Coverage } from '../../../src/protocol/codex/events';
import type { Response } from '../../../src/protocol/jsonrpc/messages';
import { readPermission, subjectOf, toPermissionRequest } from '../../../src/server/acp/permission';

const asked = (call_id: string, covers?: Coverage): CodexEvent => ({
  kind: 'event',
  callId: 'call',
  threadId: 't',
  turnId: 'u',
  id: '1',
  question: 0,
  ...(covers && { covers }),
  msg: { type: 'exec_approval_request', call_id, command: ['touch', 'a\u202eb'], cwd: '/w', reason: `why ${call_id}` },
});

const requestFor = (event: CodexEvent) => toPermissionRequest({ sessionId: 's', toolCallId: 'c', event, cwd: '/w' });

describe('a request for permission', () => {
  it('shows the whole question, and how long each answer lasts', () => {
    expect(requestFor(asked('c', 'bytes'))).toEqual({
      sessionId: 's',
      toolCall: {
        toolCallId: 'c',
        title: "touch 'a\\u202eb'",
        kind: 'execute',
        locations: [],
        rawInput: { command: ['touch', 'a\u202eb'], cwd: '/w' },
        status: 'pending',
        content: [
          {
            type: 'content',
            content: { type: 'text', text: "Allow Codex to run `touch 'a\\u202eb'` in `/w`?\nwhy c" },
          },
        ],
      },
      options: [
        { optionId: 'allow_once', name: 'Run it', kind: 'allow_once' },
        { optionId: 'allow_always', name: expect.stringContaining('without asking'), kind: 'allow_always' },
        { optionId: 'reject_once', name: 'Do not run it', kind: 'reject_once' },
        { optionId: 'reject_always', name: expect.stringContaining('in this session'), kind: 'reject_always' },
      ],
    });
  });

  it('names what is asked for clients that show nothing else: the files of a patch, and its diffs first', () => {
    const { callId, threadId, turnId, id } = asked('c');
    const changes = { 'a.txt': { add: { content: 'new\n' } } };
    const msg = { type: 'apply_patch_approval_request', call_id: 'c', changes } as const;
    const patch: CodexEvent = { kind: 'event', callId, threadId, turnId, id, question: 0, msg };
    expect(requestFor(patch).toolCall).toMatchObject({
      title: 'Edit a.txt',
      kind: 'edit',
      locations: [{ path: '/w/a.txt' }],
      content: [{ type: 'diff', path: '/w/a.txt', oldText: null, newText: 'new\n' }, { type: 'content' }],
    });
  });

  it('offers no lasting approval that would cover nothing more', () => {
    expect(requestFor(asked('c', 'once')).options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'reject_once',
      'reject_always',
    ]);
  });

  it('is about the same if only its call and its reason differ', () => {
    expect(subjectOf(asked('a'))).toBe(subjectOf(asked('b')));
  });
});

describe('an answer', () => {
  const offered = ['allow_once', 'reject_always'];
  const read = (response: object) => readPermission({ kind: 'response', id: 0, ...response } as Response, { offered });
  const selected = (optionId: unknown) => read({ result: { outcome: { outcome: 'selected', optionId } } });

  it('is the decision of the option that was offered', () => {
    expect(selected('allow_once')).toEqual({ verdict: { decision: 'approved' }, isLasting: false });
    expect(selected('reject_always')).toEqual({ verdict: { decision: 'denied' }, isLasting: true });
  });

  it('stops the turn if the client has cancelled', () => {
    expect(read({ result: { outcome: { outcome: 'cancelled' } } }).verdict).toEqual({ decision: 'abort' });
  });

  it.each([
    ['an option that was not offered', { result: { outcome: { outcome: 'selected', optionId: 'allow_always' } } }],
    ['a decision in the words of MCP', { result: { decision: 'approved', action: 'accept' } }],
    ['an option of every object', { result: { outcome: { outcome: 'selected', optionId: 'constructor' } } }],
    ['another word', { result: { outcome: { outcome: 'perhaps', optionId: 'allow_once' } } }],
    ['nothing', { result: null }],
    ['an error', { error: { code: -1, message: 'no' } }],
  ])('declines if it is %s', (_, response) => {
    expect(read(response)).toEqual({ verdict: { decision: 'denied', reason: expect.any(String) }, isLasting: false });
  });
});
