import { expect, it } from 'vitest';
import { openDocument } from '../src/document.js';
import { linksIn } from '../src/links.js';

const anything = (): Promise<boolean> => Promise.resolve(true);

it('a name that leads to another machine takes no other link with it', async () => {
  const text = '// see a.fw, and /b.fw\n//host/share.fw\n// //host/other.fw\nvar x\n';
  const document = await openDocument('file:///home/me/c.fw', 1, 'native', text);
  const links = await linksIn(document, anything);
  expect(links.map(({ target }) => target)).toEqual([
    'file:///home/me/a.fw',
    'file:///b.fw',
    'file:///home/me/host/share.fw',
  ]);
  expect(links[2]?.range.start).toEqual({ line: 1, character: 2 });
});
