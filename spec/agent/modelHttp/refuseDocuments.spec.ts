import { refuseDocuments } from '../../../src/agent/modelHttp/readBody';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';

const values = { d: 'data: 1\n\n', e: '{}', h: '<html>', b: ' \n', f: '\uFEFF[', c: ': c\n' };
const toBroken = () => new ModelError('broken', true);
const refuse = () => refuseDocuments({ maxChars: 10, toFailure: (text) => new ModelError(text, false), toBroken });

describe('refuseDocuments', () => {
  it.each([
    ['never', '---', '---', ''],
    ['is empty as its source is', '-|', '-|', ''],
    ['passes the text of events', '-d-e-h|', '-d-e-h|', ''],
    ['passes comments', '-c-d|', '-c-d|', ''],
    ['drops blanks before the first event', '-b-d|', '---d|', ''],
    ['is empty where there are only blanks', '-b|', '--|', ''],
    ['refuses HTML once it has ended', '-h-e|', '----#', '<html>{}'],
    ['refuses JSON', '-e|', '--#', '{}'],
    ['refuses a document behind blanks', '-b-f|', '----#', '\uFEFF['],
    ['reads no more than its limit', '-h-h-h', '---#', '<html><htm'],
    ['errors as one that broke off, with its source', '-d#', '-d#', 'broken'],
    ['errors so with the source of a document, too', '-h#', '--#', 'broken'],
  ])('%s', (_, source, expected, message) =>
    marbles(({ hot, expectObservable }) => {
      const error = message === 'broken' ? toBroken() : new ModelError(message, false);
      expectObservable(hot(source, values, new Error('gone')).pipe(refuse())).toBe(expected, values, error);
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-h--', values);
      expectObservable(source$.pipe(refuse()), '^-!').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );
});
