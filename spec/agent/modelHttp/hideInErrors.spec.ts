import { hideInErrors } from '../../../src/agent/modelHttp/askHttp';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';

const SECRETS = ['value-of-a-header', undefined];
const tried = { requests: 2, timedOut: true };

describe('hideInErrors', () => {
  it(
    'takes secrets out of the error of a model, and keeps the rest of it',
    marbles(({ cold, expectObservable }) => {
      const error = new ModelError('no value-of-a-header', true, tried);
      const hidden = new ModelError('no ***', true, tried);
      expectObservable(cold('-e-#', undefined, error).pipe(hideInErrors(SECRETS))).toBe('-e-#', undefined, hidden);
    }),
  );

  it(
    'passes other errors, and an answer that completes',
    marbles(({ cold, expectObservable }) => {
      const bug = new TypeError('value-of-a-header');
      expectObservable(cold('-#', undefined, bug).pipe(hideInErrors(SECRETS))).toBe('-#', undefined, bug);
      expectObservable(cold('e-|').pipe(hideInErrors(SECRETS))).toBe('e-|');
    }),
  );
});
