/** The door of the Responses dialect. */
export { responsesModel } from './responsesModel';
