/** Owns what a server under test is. */
import type { Observable } from 'rxjs';

/** An MCP server, or any program that talks in lines. */
export type Server = (line$: Observable<string>) => Observable<string>;
