import { lastValueFrom, toArray } from 'rxjs';
import { immediate$ } from '../../../src/io/stdio/immediate';

describe('immediate$', () => {
  it('emits once, after what waits', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('what waits'));
    const turns = await lastValueFrom(immediate$.pipe(toArray()));
    expect([...order, turns]).toEqual(['what waits', [undefined]]);
  });

  it('starts again for each subscriber, and emits nothing once it is unsubscribed', async () => {
    let count = 0;
    const both = [immediate$, immediate$].map((turn$) => turn$.subscribe(() => (count += 1)));
    both[0]?.unsubscribe();
    await lastValueFrom(immediate$);
    expect(count).toBe(1);
  });
});
