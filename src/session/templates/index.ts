/** The door of messages of a written spec: letters for ids of requests, holes for values that change. */
export { fillHoles, fitsHoles, type HoleValues, withHoleValues } from './fillHoles';
export { toNamedHole } from './namedHoles';
export {
  ANY_ID,
  freshIds,
  type LetteredRequest,
  letterOf,
  lettersIn,
  requestAnsweredBy,
  requestsIn,
  withFreshIds,
  withLetters,
  withRequestIds,
} from './requestLetters';
