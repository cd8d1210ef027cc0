/** The error of an address where nobody listens. */

/** The machine is there and refuses the connection: its server has ended, or was not started. */
export class NotListening extends Error {
  override name = 'NotListening';
}
