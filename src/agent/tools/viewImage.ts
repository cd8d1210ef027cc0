/** The tool `view_image`: the model looks at an image on the disk. */
import { resolve } from 'node:path';
import { defer, mergeMap, of } from 'rxjs';
import * as z from 'zod/mini';
import type { FunctionSpec } from '../../protocol/model/request';
import { lazy } from '../../streams/lazy/lazy';
import type { ReadImage } from './image';
import { readArguments, toParameters } from './readArguments';
import type { Assessment, Tool, ToolEvent } from './tool';

const ImageArguments = z.object({
  path: z.string().check(z.describe('The file; relative to the folder of the session. PNG, JPEG, GIF or WebP.')),
});

/** The tool as it is offered to a model; made once, because a JSON Schema takes time to make. */
const imageSpec = lazy(
  (): FunctionSpec => ({
    type: 'function',
    name: 'view_image',
    description: 'Shows you an image file.',
    strict: false,
    parameters: toParameters(ImageArguments),
  }),
);

/** @param cwd the folder to which relative paths refer */
export type ViewImageDeps = { readImage: ReadImage; cwd: string };

/**
 * Shows the image; nobody has to be asked, because only images are read. If one cannot be read, the model reads why.
 * Source: Codex 0.28.0, CORE 6.1; there an image that could not be read was an empty message.
 */
export const viewImage = ({ readImage, cwd }: ViewImageDeps): Tool<{ path: string }> => ({
  spec: imageSpec(),
  assess: ({ args }) => {
    const read = readArguments(ImageArguments, args);
    return of<Assessment<{ path: string }>>(
      typeof read === 'string' ? { verdict: 'refuse', output: read } : { verdict: 'run', plan: read, effect: 'reads' },
    );
  },
  run: ({ path }) =>
    defer(() => readImage(resolve(cwd, path))).pipe(
      mergeMap((read): ToolEvent[] =>
        read.kind === 'image'
          ? [
              { kind: 'image', url: read.url },
              { kind: 'output', text: 'attached local image path' },
            ]
          : [{ kind: 'output', text: `err: the picture ${path} could not be read: ${read.reason}` }],
      ),
    ),
});
