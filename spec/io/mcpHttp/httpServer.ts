/** A server of MCP over HTTP in marbles. */
import type { Observable } from 'rxjs';
import type { HttpPost, HttpResponse } from '../../../src/io/http/httpRequest';

type Cold = <T>(marbles: string, values?: Record<string, T>) => Observable<T>;

/** A response: `body` is marbles, in which `t` is `text`. */
export type Response = { status: number; type?: string; session?: string; body: string; text?: string };

/**
 * Answers after a frame, by the body of a request, else by its method; several responses come one after another, the last one again and again.
 * `asked` grows with what is sent: method, URL, session, last event.
 */
export const httpServer = (
  cold: Cold,
  responses: Readonly<Record<string, Response | readonly Response[]>>,
  asked: string[] = [],
): HttpPost => {
  const counts = new Map<string, number>();
  return ({ url, method = 'POST', headers, body }) => {
    asked.push(`${method} ${url} ${headers['mcp-session-id'] ?? '-'} ${headers['last-event-id'] ?? ''}`.trim());
    const key = body || method;
    const all = [responses[key] ?? []].flat() as Response[];
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const {
      status,
      type = 'application/json',
      session,
      body: frames,
      text = '',
    } = all[count] ?? (all.at(-1) as Response);
    const own = { 'content-type': type, ...(session !== undefined && { 'mcp-session-id': session }) };
    const answer: HttpResponse = { status, statusText: '', headers: own, body$: cold(frames, { t: text }) };
    return cold('-(x|)', { x: answer });
  };
};

/** The type of event streams. */
export const EVENTS = 'text/event-stream';
