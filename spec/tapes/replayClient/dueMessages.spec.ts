import { toClientPlan } from '../../../src/tapes/replayClient/clientPlan';
import { IDLE_CLIENT, type PlayingClient } from '../../../src/tapes/replayClient/clientPlayback';
import { countDue, withBalance, withoutOptional } from '../../../src/tapes/replayClient/playClient';
import { itemAt } from '../../../src/tapes/session/sparseArray';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const event = { method: 'event', params: {} };
const plan = toClientPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', { id: 1, method: 'go' }],
      [1, 'out', event],
      [2, 'out', event],
      [3, 'out', { id: 1, result: {} }],
      [4, 'in', { method: 'ready' }],
      [5, 'out', event],
      [6, 'in', { method: 'bye' }],
    ),
  ),
);
const [EVENT, RESPONSE] = [0, 1];
const at = (next: number): PlayingClient => ({ ...IDLE_CLIENT, next });
const facts = ({ counted, missing, balance }: PlayingClient) => ({
  counted,
  missing,
  balance: [itemAt(balance, EVENT), itemAt(balance, RESPONSE)],
});

describe('countDue', () => {
  it.each<[number, object]>([
    [0, { counted: 0, missing: { required: 0, optional: 0 }, balance: [undefined, undefined] }],
    [1, { counted: 3, missing: { required: 1, optional: 2 }, balance: [-2, -1] }],
    [2, { counted: 4, missing: { required: 1, optional: 3 }, balance: [-3, -1] }],
  ])('counts what came before client line %i', (next, expected) => {
    expect(facts(countDue(plan, at(next)))).toEqual(expected);
  });

  it('counts each line once', () => {
    const once = countDue(plan, at(1));
    expect(countDue(plan, once)).toEqual(once);
  });

  it('leaves the state that it is given as it was', () => {
    const before = at(2);
    countDue(plan, before);
    expect(before).toEqual({ ...IDLE_CLIENT, next: 2 });
  });
});

describe('withBalance', () => {
  const required = { id: RESPONSE, required: true, values: [] };
  const optional = { id: EVENT, required: false, values: [] };

  it.each([
    ['a message that is due', [-1], 1],
    ['one that comes when it is due', [-1, 1], 0],
    ['one that comes before it is due', [1, -1], 0],
    ['two that are due where one came', [1, -1, -1], 1],
    ['more than are due', [1, 1, -1], 0],
  ] as const)('sums what is missing: %s', (_, changes, missing) => {
    const missingOf = (kind: typeof required) =>
      changes.reduce<PlayingClient>((state, change) => withBalance(state, kind, change), IDLE_CLIENT).missing;
    expect(missingOf(required)).toEqual({ required: missing, optional: 0 });
    expect(missingOf(optional)).toEqual({ required: 0, optional: missing });
  });
});

describe('withoutOptional', () => {
  it('waits for no notification any longer, and for the response still', () => {
    expect(facts(withoutOptional(plan, countDue(plan, at(1))))).toEqual({
      counted: 3,
      missing: { required: 1, optional: 0 },
      balance: [0, -1],
    });
  });

  it('keeps what came early, and the state itself where nothing is missing', () => {
    const early = withBalance(IDLE_CLIENT, { id: EVENT, required: false, values: [] }, 1);
    expect(withoutOptional(plan, early)).toBe(early);
  });
});
