/** What the specs of patches share: files in memory, as a planner sees them. */

import { parsePatch, planPatch } from '../../../src/executor/patch/checkPatch';
import type { PatchFailure, Plan } from '../../../src/executor/patch/plan';
import type { FileState, Seen, View } from '../../../src/executor/patch/seen';
import { atOnce } from '../../../src/streams/pausing';

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

export const textFile = (text: string, mode: FileState['mode'] = 0o644): FileState => ({
  bytes: encode(text),
  mode,
  access: 'writable',
});

/** A view where the files named stand in /ws, and nothing else does. */
export const viewOf = (files: Record<string, string | Seen>, paths: readonly string[]): View =>
  new Map(
    paths.map((path) => {
      const [real, found] = [`/ws/${path}`, files[path]];
      if (typeof found === 'object') return [path, { ...found, absolute: real }];
      const seen: Seen =
        found === undefined ? { kind: 'absent', real } : { kind: 'file', real, entry: real, file: textFile(found) };
      return [path, { ...seen, absolute: real }];
    }),
  );

/** What a patch does to files in /ws. */
export const plan = (text: string, files: Record<string, string | Seen> = {}): Plan | PatchFailure => {
  const patch = parsePatch(text);
  if (patch.kind !== 'patch') return patch;
  const paths = patch.sections.flatMap((section) =>
    section.kind === 'update' && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path],
  );
  return atOnce(planPatch(patch, viewOf(files, paths)));
};

/** The same, where there must be a plan. */
export const planned = (text: string, files: Record<string, string | Seen> = {}): Plan => {
  const made = plan(text, files);
  if (made.kind !== 'plan') throw new Error(JSON.stringify(made));
  return made;
};

/** The text of a patch, its sections in an envelope. */
export const patchOf = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
