/** Why no thread can work in an environment. */
import { reasonOf } from '../../streams/text/reasons';
import { CannotBegin } from './rejection';

/** The error for a call that is to work there. @param remedy a sentence on what to do, where there is more than the reason says */
export const unusableEnvironment = (id: string, error: unknown, remedy = ''): CannotBegin => {
  const sentences = [`The environment \`${id}\` cannot be used: ${reasonOf(error)}.`, remedy];
  return new CannotBegin([...sentences.filter(Boolean), 'Nothing was run on this machine.'].join(' '));
};
