import type { WebFormat } from './messages.js';
import { element } from './shown.js';

/** An example program of the site, with the file in the repository. */
export interface Example {
  readonly group: string;
  readonly file: string;
  readonly format: WebFormat;
  readonly text: string;
}

/** Loads the examples of the site. */
export async function loadExamples(): Promise<readonly Example[]> {
  const response = await fetch('examples.json');
  return (await response.json()) as readonly Example[];
}

/** Fills the menu; `choose` receives the chosen example. */
export function fillMenu(
  menu: HTMLSelectElement,
  examples: readonly Example[],
  choose: (example: Example) => void,
): void {
  const groups = [...new Set(examples.map(({ group }) => group))];
  menu.replaceChildren(
    element('option', { value: '' }, 'Example ...'),
    ...groups.map((label) =>
      element(
        'optgroup',
        { label },
        ...examples.flatMap(({ group, file }, i) =>
          group === label ? [element('option', { value: String(i) }, file.split('/').at(-1)!)] : [],
        ),
      ),
    ),
  );
  menu.addEventListener('change', () => {
    const example = examples[Number(menu.value === '' ? -1 : menu.value)];
    if (example) choose(example);
  });
}
