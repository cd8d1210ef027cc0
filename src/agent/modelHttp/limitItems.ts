/** How many items an answer may have. */
import { ModelError } from '../../protocol/model/model';

/** Far more than the calls that a model makes at once; the items before an item are copied for each one. */
const MAX_ITEMS = 1_024;

/** Throws ModelError where an answer has more items than any model sends: an endless answer must neither fill the memory nor hold up others. */
export const limitItems = (count: number): void => {
  if (count > MAX_ITEMS) throw new ModelError(`the model server sent an answer of more than ${MAX_ITEMS} items`, false);
};
