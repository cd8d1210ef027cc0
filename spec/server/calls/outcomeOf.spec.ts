import { type Outcome, outcomeOf } from '../../../src/server/calls/outcomeOf';
import { newTurn } from '../../../src/server/calls/turn';
import { events, opA } from '../../support/calls';
import { complete, THREAD, turnEventOf } from '../../support/mcp';

const notDone = [{ what: '`touch`', reason: 'late' }];
const turn = { ...newTurn, threadId: THREAD, notDone };
const failed = { ...turn, error: 'model down' };
const silent = turnEventOf(opA, complete(null)) as typeof events.complete;

describe('outcomeOf', () => {
  it.each<[string, Outcome, Parameters<typeof outcomeOf>]>([
    ['completed', { kind: 'completed', threadId: THREAD, text: 'done', notDone }, [turn, events.complete]],
    ['completed without a message', { kind: 'completed', threadId: THREAD, text: '', notDone }, [turn, silent]],
    ['aborted', { kind: 'aborted', threadId: THREAD, notDone }, [turn, events.aborted]],
    [
      'failed, however it ended',
      { kind: 'failed', threadId: THREAD, message: 'model down', notDone },
      [failed, events.aborted],
    ],
    ['done', { kind: 'done', threadId: 'T' }, [turn, { kind: 'done', callId: 'a', threadId: 'T' }]],
    [
      'joined',
      { kind: 'joined', threadId: 'T', turnCallId: 'b' },
      [turn, { kind: 'joined', callId: 'a', threadId: 'T', turnCallId: 'b' }],
    ],
    ['rejected', { kind: 'rejected', message: 'no such thread' }, [failed, events.refused]],
  ])('is %s', (_, outcome, given) => {
    expect(outcomeOf(...given)).toEqual(outcome);
  });
});
