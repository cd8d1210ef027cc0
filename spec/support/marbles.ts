/** The one helper of marble specs. It loads the room `marbles` only, so a fault elsewhere cannot fail an operator's spec. */
export { marbles } from '../../src/streams/marbles/marbles';
