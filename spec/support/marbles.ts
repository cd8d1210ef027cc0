/** The house's own specs use what others use. */
export { marbles } from '../../src/testing';
