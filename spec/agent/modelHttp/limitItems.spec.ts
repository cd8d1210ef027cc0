import { limitItems } from '../../../src/agent/modelHttp/failures';
import { ModelError } from '../../../src/protocol/model/model';

describe('limitItems', () => {
  it('throws beyond 1,024 items an error that no other attempt follows', () => {
    const error = new ModelError('the model server sent an answer of more than 1024 items', false);
    for (const count of [0, 1, 1_024]) expect(() => limitItems(count)).not.toThrow();
    expect(() => limitItems(1_025)).toThrow(error);
  });
});
