/** The tabs, in the order of Alt-1 to Alt-5; `text` is a tab on narrow screens only. */
export const views = ['text', 'verdict', 'execution', 'states', 'fences', 'report'] as const;
export type View = (typeof views)[number];

export const isView = (name: string): name is View => (views as readonly string[]).includes(name);

const tabOf = (view: View): HTMLElement => document.getElementById(`tab-${view}`)!;
const panelOf = (view: View): HTMLElement => document.getElementById(`panel-${view}`)!;

/** The tabs of the page; arrow keys move between tabs, as usual in tab lists. */
export class Tabs {
  #view: View = 'verdict';

  constructor(private readonly narrow: MediaQueryList) {
    for (const view of views) tabOf(view).addEventListener('click', () => this.show(view));
    document.getElementById('tabs')!.addEventListener('keydown', (event) => this.#move(event));
    narrow.addEventListener('change', () => this.show(this.#view));
  }

  get view(): View {
    return this.#view;
  }

  show(view: View): void {
    this.#view = view === 'text' && !this.narrow.matches ? 'verdict' : view;
    for (const each of views) {
      const isShown = each === this.#view;
      const tab = tabOf(each);
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      // On a wide page the text stands beside the tabs.
      panelOf(each).hidden = !isShown && (each !== 'text' || this.narrow.matches);
    }
  }

  focus(): void {
    tabOf(this.#view).focus();
  }

  #move(event: KeyboardEvent): void {
    const shown = this.narrow.matches ? [...views] : views.slice(1);
    const at = shown.indexOf(this.#view);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % shown.length,
      ArrowLeft: (at + shown.length - 1) % shown.length,
      Home: 0,
      End: shown.length - 1,
    };
    const to = shown[steps[event.key] ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    this.show(to);
    this.focus();
  }
}
