/** The error of a request or a turn whose server is gone. */

/** The connection to the server was lost before it answered; another server may be asked. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}
