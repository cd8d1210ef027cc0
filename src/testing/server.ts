/** A server under test. */
import type { Observable } from 'rxjs';

/** An MCP server, or any program that reads and writes lines. */
export type Server = (line$: Observable<string>) => Observable<string>;
